/* Preloaded into a server: counts syncs, and makes each one of a write-ahead log take longer, as a slower disk would. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t *count;
static long delay_us;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("BENCH_SYNC_COUNT");
  const char *delay = getenv("BENCH_SYNC_DELAY_US");
  delay_us = delay == NULL ? 0 : atol(delay);
  if (path == NULL) return;
  int file = open(path, O_RDWR);
  if (file < 0) return;
  void *page = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) count = page;
}

static int is_log(int fd) {
  char link[64], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target);
  return length > 4 && memcmp(target + length - 4, "-wal", 4) == 0;
}

static void note(int fd) {
  if (!is_log(fd)) return;
  if (count != NULL) __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
  if (delay_us == 0) return;
  struct timespec wait = {delay_us / 1000000, (delay_us % 1000000) * 1000};
  nanosleep(&wait, NULL);
}

#define SYNC(name)                                         \
  int name(int fd) {                                       \
    static int (*real)(int);                               \
    if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, #name); \
    note(fd);                                              \
    return real(fd);                                       \
  }

SYNC(fsync)
SYNC(fdatasync)
