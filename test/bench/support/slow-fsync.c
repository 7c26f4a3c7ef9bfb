/* Preloaded, it makes every fsync and fdatasync take FSYNC_MICROSECONDS longer: a slow disk on any machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int (*sync_function)(int);

static void wait_as_told(void) {
  const char *told = getenv("FSYNC_MICROSECONDS");
  long microseconds = told ? atol(told) : 0;
  struct timespec pause = {microseconds / 1000000, (microseconds % 1000000) * 1000};
  if (microseconds > 0) nanosleep(&pause, NULL);
}

int fsync(int file) {
  sync_function real = (sync_function)dlsym(RTLD_NEXT, "fsync");
  wait_as_told();
  return real(file);
}

int fdatasync(int file) {
  sync_function real = (sync_function)dlsym(RTLD_NEXT, "fdatasync");
  wait_as_told();
  return real(file);
}
