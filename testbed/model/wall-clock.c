/* Sets the wall clock of one program, for LD_PRELOAD: CLOCK_REALTIME, and the
 * kernel's timestamps of packets. WALL_CLOCK_STEPS=AT:BY,... in seconds since
 * the program has started; the monotonic clock stays what it is.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS 1000000000LL

static double started;

static double
monotonic_seconds (void)
{
  struct timespec now;

  syscall (SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / NANOSECONDS;
}

__attribute__ ((constructor)) static void
start (void)
{
  started = monotonic_seconds ();
}

/* The sum of all steps so far, in nanoseconds. */
static long long
stepped (void)
{
  const char *steps = getenv ("WALL_CLOCK_STEPS");
  double passed = monotonic_seconds () - started, sum = 0;

  while (steps != NULL && *steps != '\0') {
    char *end;
    double at = strtod (steps, &end),
           by = *end == ':' ? strtod (end + 1, &end) : 0;

    if (passed >= at)
      sum += by;
    steps = *end == ',' ? end + 1 : NULL;
  }
  return llround (sum * NANOSECONDS);
}

static void
set (struct timespec *time)
{
  long long all = time->tv_sec * NANOSECONDS + time->tv_nsec + stepped ();

  time->tv_sec = (time_t) (all / NANOSECONDS);
  time->tv_nsec = (long) (all % NANOSECONDS);
}

int
clock_gettime (clockid_t clock, struct timespec *time)
{
  int code = (int) syscall (SYS_clock_gettime, clock, time);

  if (code == 0 && clock == CLOCK_REALTIME)
    set (time);
  return code;
}

int
gettimeofday (struct timeval *restrict time, void *restrict zone)
{
  struct timespec now;
  int code = clock_gettime (CLOCK_REALTIME, &now);

  (void) zone;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return code;
}

static void
set_timestamps (struct msghdr *message)
{
  for (struct cmsghdr *part = CMSG_FIRSTHDR (message); part != NULL;
       part = CMSG_NXTHDR (message, part)) {
    struct timespec time;

    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
      continue;
    memcpy (&time, CMSG_DATA (part), sizeof time);
    set (&time);
    memcpy (CMSG_DATA (part), &time, sizeof time);
  }
}

ssize_t
recvmsg (int socket, struct msghdr *message, int flags)
{
  ssize_t size = syscall (SYS_recvmsg, socket, message, flags);

  if (size >= 0)
    set_timestamps (message);
  return size;
}
