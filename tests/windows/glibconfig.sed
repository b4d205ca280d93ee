# Debian's glibconfig.h, for Windows: a long has 32 bit there.
s/^(typedef (un)?signed) long (g)/\1 long long \3/
s/val##(U?)L\)/val##\1LL)/
s/"l([iu]?)"$/"ll\1"/
s/(GLIB_SIZEOF_LONG) .*/\1 4/
s/G_MAXULONG$/G_MAXUINT64/
s/(SSIZE\t)G_(MIN|MAX)LONG$/\1G_\2INT64/
s/\((gu?)long\) \((p|i|u)\)/(\1int64) (\2)/
s/((GU?)LONG_TO_.E.*)INT64_TO/\1INT32_TO/
/define GLIB_HAVE_ALLOCA_H/d
s/G_OS_UNIX/G_OS_WIN32\n#define G_PLATFORM_WIN32/
s/IMPL_POSIX/IMPL_WIN32/
s/"so"/"dll"/
s/int GPid/void *GPid/
s/(G_PID_FORMAT) "i"/\1 "p"/
s/(AF_INET6) 10/\1 23/
s/G_POLLFD_FORMAT .*/G_POLLFD_FORMAT "%#llx"/
s/(DIR_SEPARATOR) .*/\1 '\\\\'/
s/(DIR_SEPARATOR_S) .*/\1 "\\\\"/
s/(SEARCHPATH_SEPARATOR) .*/\1 ';'/
s/(SEARCHPATH_SEPARATOR_S) .*/\1 ";"/
# Windows has no visibility.
s/(G_HAVE_GNUC_VISIBILITY) 1/\1 0/
s/ && defined \(G_HAVE_GNUC_VISIBILITY\)/ \&\& G_HAVE_GNUC_VISIBILITY/
