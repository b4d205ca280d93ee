#!/usr/bin/env bash
# Builds the virtual-time kernel (User-Mode Linux) once and prints the path of its binary.
#
#   build.sh            build if needed; the path on stdout, progress on stderr
#   build.sh --which    print the path only when it is already built, exit 1 otherwise
#
# The binary is cached under ${XDG_CACHE_HOME:-~/.cache}/gcc-testbed/kernel/<key>/linux; the key covers the
# distribution's source package, the config fragment and this script.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fragment=$here/gcc-testbed.config
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gcc-testbed/kernel
log=$cache/build.log

say() { printf 'kernel: %s\n' "$*" >&2; }
fail() {
  printf 'error: kernel: %s (log: %s)\n' "$*" "$log" >&2
  exit 2
}

newest_source() {
  find /usr/src -maxdepth 1 -name 'linux-source-*.tar.*' 2>/dev/null | sort -V | tail -n 1
}

# The package version names the source's content without hashing 130 MB; size and time stand in where dpkg is missing.
source_version() {
  dpkg-query -W -f '${Package} ${Version}' "$(dpkg-query -S "$1" 2>/dev/null | cut -d: -f1)" 2>/dev/null ||
    stat -c '%n %s %Y' "$1"
}

missing_tools() {
  local tool missing=()
  for tool in make gcc flex bison bc tar xz sha256sum flock; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  printf '%s' "${missing[*]-}"
}

# Each wanted line of the fragment against the final .config; prints those that do not hold.
unmet_options() {
  local config=$1 line name
  while IFS= read -r line; do
    case $line in
      CONFIG_*) grep -qxF "$line" "$config" || printf '%s ' "$line" ;;
      '# CONFIG_'*' is not set')
        name=${line#\# }
        name=${name%% *}
        ! grep -q "^$name=" "$config" || printf '%s ' "$name=n" ;;
    esac
  done <"$fragment"
}

# What a kernel of this configuration compiles, roughly: make does not know it, and asking (make -n) takes ten seconds.
expected_files=700

# Compiling prints a line per file: their number is the only progress make gives. On a terminal a line that is rewritten,
# elsewhere one for each twentieth.
count_files() {
  local count=0 percent shown=-5 line
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ $line == '  CC '* ]] || continue
    count=$((count + 1))
    percent=$((count * 100 / expected_files))
    [ "$percent" -lt 100 ] || percent=99
    if [ -t 2 ]; then printf '\rkernel: compiling, %d %%' "$percent" >&2
    elif ((percent >= shown + 5)); then
      shown=$percent
      say "compiling, $percent %"
    fi
  done >>"$log"
  if [ -t 2 ]; then printf '\n' >&2; fi
}

# Of 80000 files what neither the configuration reads nor this kernel compiles stays packed.
unpack() {
  local tree left_out=(--exclude='*/Documentation/*/*' --exclude='*/arch/[!ux]*/*.[chS]' --exclude='*.dts' --exclude='*.dtsi')
  for tree in drivers/gpu drivers/media drivers/staging drivers/scsi drivers/infiniband drivers/net/wireless \
    drivers/net/ethernet sound tools/testing; do
    left_out+=(--exclude="*/$tree/*.[ch]")
  done
  case $1 in *.xz) set -- "$@" -I 'xz -T0' ;; esac
  tar -xf "$1" -C "$2" "${@:3}" --strip-components=1 --wildcards --wildcards-match-slash "${left_out[@]}"
}

boots() {
  local linux=$1 init=$2/boot-check
  cat >"$init" <<'END'
#!/bin/sh
mount -t proc proc /proc
# Never the host, whatever happens.
grep -q 'User Mode Linux' /proc/cpuinfo || exit 1
echo gcc-testbed-kernel-runs
exec /sbin/halt -f
END
  chmod +x "$init"
  # 32 MB of memory image: /dev/shm may be small where this runs.
  TMPDIR=$2 timeout -k 5 60 setsid "$linux" mem=32M time-travel=inf-cpu root=/dev/root rootfstype=hostfs \
    rootflags=/ rw "init=$init" con=null con0=fd:0,fd:1 quiet </dev/null >"$2/boot.log" 2>&1 || true
  cat "$2/boot.log" >>"$log"
  grep -q gcc-testbed-kernel-runs "$2/boot.log"
}

mkdir -p "$cache"
source=$(newest_source)
[ -n "$source" ] || { : >"$log"; fail "no linux-source package found in /usr/src; install it: apt install linux-source"; }
key=$({ source_version "$source"; cat "$fragment" "${BASH_SOURCE[0]}"; } | sha256sum | cut -c1-16)
linux=$cache/$key/linux

if [ -x "$linux" ]; then
  printf '%s\n' "$linux"
  exit 0
fi
[ "${1-}" != --which ] || exit 1

exec 9>"$cache/lock"
if ! flock -n 9; then
  say "another build is running, waiting for it"
  flock 9
  if [ -x "$linux" ]; then
    printf '%s\n' "$linux"
    exit 0
  fi
fi

: >"$log"
missing=$(missing_tools)
[ -z "$missing" ] || fail "cannot build, these programs are missing: $missing"
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

say "building from ${source##*/}: about 2 minutes, once"
mkdir "$work/src"
unpack "$source" "$work/src" >>"$log" 2>&1 9>&- || fail "cannot unpack $source"
cd "$work/src"

# The programs inside are traced by the kernel's process. If that is killed (the OOM killer, say), the host would let them
# run on, untraced, their system calls now meaning the host: they must die with it.
tracing=arch/um/os-Linux/skas/process.c
if ! grep -q PTRACE_O_EXITKILL "$tracing"; then
  sed -i 's/PTRACE_O_TRACESYSGOOD/(PTRACE_O_TRACESYSGOOD | (1 << 20 \/* PTRACE_O_EXITKILL *\/))/' "$tracing"
  grep -q PTRACE_O_EXITKILL "$tracing" || fail "cannot make programs end with the kernel: $tracing has changed"
fi

# Each clock read costs 256 ns of virtual time and each failed system call 1 us, so that a loop which waits for something ends.
# But how often programs read the clock varies from run to run, and how often they fail from machine to machine (the loader
# looks for libraries made for the processor), and with it every later packet's time. So the first ten thousand of an instant
# are free.
clock=arch/um/kernel/time.c
calls=arch/um/kernel/skas/syscall.c
reading='time_travel_update_time_rel(TIMER_MULTIPLIER);'
failing='um_udelay(1);'
if [ "$(grep -cF "$reading" "$clock")" -eq 1 ] && [ "$(grep -cF "$failing" "$calls")" -eq 1 ]; then
  sed -i -e "s/$failing/if (gcc_testbed_is_loop(1000)) $failing/" \
    -e '/^void handle_syscall(/i bool gcc_testbed_is_loop(unsigned int cost_ns);\n' "$calls"
  sed -i -e "s/$reading/if (gcc_testbed_is_loop(TIMER_MULTIPLIER)) $reading/" -e '/^static u64 timer_read(/i \
bool gcc_testbed_is_loop(unsigned int cost_ns)\
{\
	static unsigned long long instant;\
	static unsigned int times;\
\
	if (instant != time_travel_time) {\
		instant = time_travel_time;\
		times = 0;\
	}\
	if (++times <= 10000)\
		return false;\
	/* What it costs makes no new instant. */\
	instant += cost_ns;\
	return true;\
}\
' "$clock"
else
  say "warning: the clock of this kernel runs while programs do; runs with one seed may differ by microseconds"
fi

# Random numbers (netem's losses, TCP's initial sequence numbers, IP identifications) come from the seed of the run: the host's
# are replaced, and what differs from run to run is kept out of them: the paths on the command line, and where interrupts met
# the programs.
host_random=arch/um/os-Linux/util.c
random=drivers/char/random.c
interrupts='if (new_count < 1024 && !time_is_before_jiffies(fast_pool->last + HZ))'
take='return getrandom(buf, len, flags);'
mix='_mix_pool_bytes(command_line, strlen(command_line));'
if [ "$(grep -cF "$take" "$host_random")" -eq 1 ] && [ "$(grep -cF "$mix" "$random")" -eq 1 ] &&
  [ "$(grep -cF "$interrupts" "$random")" -eq 1 ]; then
  sed -i -e "s/$take/return gcc_testbed_random(buf, len);/" -e '/^ssize_t os_getrandom(/i \
static ssize_t gcc_testbed_random(unsigned char *bytes, size_t len)\
{\
	static unsigned long long state;\
	const char *seed = getenv("GCC_TESTBED_SEED");\
	size_t i;\
\
	if (!state)\
		state = 0x9e3779b97f4a7c15ull ^ (seed ? strtoull(seed, NULL, 10) : 0);\
	for (i = 0; i < len; i++) {\
		state = state * 6364136223846793005ull + 1442695040888963407ull;\
		bytes[i] = state >> 56;\
	}\
	return len;\
}\
' "$host_random"
  sed -i -e "s/$mix//" -e "s/$interrupts/if (true)/" "$random"
else
  say "warning: this kernel draws its own random numbers; random losses differ between runs with one seed"
fi

# Processors with AMX have 11 kB of extended state and the host takes back all of it or nothing; kernels before 6.13 keep its
# first 2.7 kB. The rest are AMX's tiles, which no program has there without asking: zeros stand for them.
registers=arch/x86/um/os-Linux/registers.c
give_back='ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &iov)'
if grep -q 'HOST_FP_SIZE, 2696' arch/x86/um/user-offsets.c; then
  if [ "$(grep -cF "$give_back" "$registers")" -ne 1 ] || ! grep -qx '#include <registers.h>' "$registers"; then
    fail "cannot give processors with AMX all of their state: $registers has changed"
  fi
  sed -i -e "s/$give_back/gcc_testbed_set_xstate(pid, \&iov)/" -e '/^#include <registers.h>/a \
#include <string.h>\
\
static long gcc_testbed_set_xstate(int pid, struct iovec *kept)\
{\
	static char whole[32768];\
	struct iovec iov = { .iov_base = whole, .iov_len = sizeof(whole) };\
\
	memcpy(whole, kept->iov_base, kept->iov_len);\
	return ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, \&iov);\
}' "$registers"
fi

make ARCH=um tinyconfig >>"$log" 2>&1 9>&- || fail "make tinyconfig failed"
ARCH=um scripts/kconfig/merge_config.sh -m .config "$fragment" >>"$log" 2>&1 9>&- || fail "merging the configuration failed"
make ARCH=um olddefconfig >>"$log" 2>&1 9>&- || fail "make olddefconfig failed"
unmet=$(unmet_options .config)
[ -z "$unmet" ] || fail "this kernel source does not offer: $unmet"

# The kernel's random numbers begin with its version string, which tells when it was built: one date for all builds, or each
# of them makes other calls of the same seed.
export KBUILD_BUILD_TIMESTAMP='Mon Nov 23 02:08:49 UTC 2026' KBUILD_BUILD_VERSION=1
export KBUILD_BUILD_USER=gcc-testbed KBUILD_BUILD_HOST=gcc-testbed
make ARCH=um -j"$(nproc)" linux 2>&1 9>&- | count_files || fail "the kernel does not compile"

mkdir "$work/installed"
cp linux "$work/installed/linux"
strip "$work/installed/linux" 2>>"$log" || true
cp .config "$work/installed/config"
printf '%s\n' "$(source_version "$source")" >"$work/installed/source"

boots "$work/installed/linux" "$work" || fail "the kernel was built but does not run here"

rm -rf "${cache:?}/$key"
mv "$work/installed" "$cache/$key"
say "done: ${source##*/}, boots and runs here"
printf '%s\n' "$linux"
