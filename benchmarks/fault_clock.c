/* A wall clock that can be set for one program: LD_PRELOAD this library, and let FAULT_CLOCK name a
   file with one double, the seconds to add. It is mapped, so that a new value counts at once.
   Monotonic clocks and timeouts stay as they are, unlike with libfaketime, whose conversion of
   condition variables makes a program with threads crawl. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static int (*real_clock)(clockid_t, struct timespec *);
static const volatile double *skew;

__attribute__((constructor)) static void set_up(void) {
  const char *path = getenv("FAULT_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *mapped = mmap(NULL, sizeof *skew, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) skew = mapped;
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!real_clock)
    real_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real_clock(clock, now);
  if (!failed && skew && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += (time_t)*skew;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  int failed = clock_gettime(CLOCK_REALTIME, &precise);
  if (!failed) *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
  return failed;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
