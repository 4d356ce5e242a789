/*
 * Simulates a slow disk: every fsync takes SLOW_FSYNC_US microseconds longer (10,000 by default). It affects programs
 * that are started with this library in LD_PRELOAD. To build it: cc -shared -fPIC -o slow-fsync.so slow-fsync.c
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_for_disk(void) {
  const char *delay = getenv("SLOW_FSYNC_US");
  usleep(delay ? atoi(delay) : 10000);
}

int fsync(int fd) {
  wait_for_disk();
  return syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
  wait_for_disk();
  return syscall(SYS_fdatasync, fd);
}
