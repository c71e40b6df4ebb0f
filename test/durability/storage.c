/*
 * Preloaded into a process under test: sees every call that changes the files of one SQLite database, in one total
 * order over all threads, and can write each down or make one fail. Everything else passes untouched.
 *
 * STORAGE_DATABASE  absolute path of the database; its -wal, -journal and folder belong to it, and so does -marks,
 *                   a file into which the process writes what it has acknowledged
 * STORAGE_LOG       file that takes the records; absent: nothing is written down
 * STORAGE_FAULT     call:file:first:errno, where call is sync or write, file is main, wal, journal, folder or any of the
 *                   first three, and first counts from 1
 * STORAGE_FAULT_FILE  while this file exists, every call from the first on fails; absent: only the first
 *
 * A record is 24 bytes, little endian: kind, file, six bytes of zero, offset, length; then `length` bytes of data.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, SYNC, UNLINK, MARK, FAULT };
enum file { NONE = 0, MAIN, WAL, JOURNAL, FOLDER, MARKS };
static const char *const SUFFIXES[] = {[MAIN] = "", [WAL] = "-wal", [JOURNAL] = "-journal", [MARKS] = "-marks"};

#define FDS_MAX 65536
#define PATH_BYTES_MAX 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned char file_of_fd[FDS_MAX];
static char database[PATH_BYTES_MAX], folder[PATH_BYTES_MAX];
static int log_fd = -1;
static char fault_call[8], fault_name[8];
static long fault_first, fault_seen;
static int fault_errno;
static const char *fault_file;

static void die(const char *why) {
  fprintf(stderr, "storage.c: %s\n", why);
  abort();
}

static void start(void) {
  const char *path = getenv("STORAGE_DATABASE"), *log = getenv("STORAGE_LOG"), *fault = getenv("STORAGE_FAULT");
  if (path == NULL || path[0] != '/' || strlen(path) + 16 > PATH_BYTES_MAX) die("STORAGE_DATABASE is not an absolute path");
  strcpy(database, path);
  strcpy(folder, path);
  *strrchr(folder, '/') = 0;
  if (log != NULL && (log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0) die("STORAGE_LOG cannot be opened");
  if (fault != NULL && sscanf(fault, "%7[a-z]:%7[a-z]:%ld:%d", fault_call, fault_name, &fault_first, &fault_errno) != 4)
    die("STORAGE_FAULT is not call:file:first:errno");
  fault_file = getenv("STORAGE_FAULT_FILE");
}

static void enter(void) {
  pthread_once(&once, start);
  pthread_mutex_lock(&lock);
}

static long leave(long result) {
  int kept = errno;
  pthread_mutex_unlock(&lock);
  errno = kept;
  return result;
}

static enum file file_at(const char *path) {
  if (strcmp(path, folder) == 0) return FOLDER;
  size_t length = strlen(database);
  if (strncmp(path, database, length) != 0) return NONE;
  for (enum file file = MAIN; file <= MARKS; file++)
    if (SUFFIXES[file] != NULL && strcmp(path + length, SUFFIXES[file]) == 0) return file;
  return NONE;
}

static enum file file_of(int fd) { return fd >= 0 && fd < FDS_MAX ? file_of_fd[fd] : NONE; }

static void append(const void *bytes, size_t count) {
  for (const char *from = bytes; count > 0;) {
    long written = syscall(SYS_write, log_fd, from, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) die("STORAGE_LOG cannot be written");
    from += written;
    count -= written;
  }
}

static void record(enum kind kind, enum file file, uint64_t offset, const void *bytes, uint64_t count) {
  if (log_fd < 0) return;
  int kept = errno;
  unsigned char header[24] = {kind, file};
  memcpy(header + 8, &offset, 8);
  memcpy(header + 16, &count, 8);
  append(header, sizeof header);
  if (count > 0) append(bytes, count);
  errno = kept;
}

/* True: the call must not happen, and errno says why. The marks are not part of the database. */
static int is_to_fail(const char *call, enum file file) {
  static const char *const NAMES[] = {[NONE] = "", [MAIN] = "main", [WAL] = "wal", [JOURNAL] = "journal", [FOLDER] = "folder", [MARKS] = ""};
  int is_meant = strcmp(fault_name, "any") == 0 ? file != FOLDER && file != MARKS : strcmp(fault_name, NAMES[file]) == 0;
  if (!is_meant || strcmp(call, fault_call) != 0 || ++fault_seen < fault_first) return 0;
  int lasts = fault_file != NULL && syscall(SYS_faccessat, AT_FDCWD, fault_file, F_OK) == 0;
  if (fault_file == NULL ? fault_seen != fault_first : !lasts) return 0;
  record(FAULT, file, fault_seen, NULL, 0);
  errno = fault_errno;
  return 1;
}

static int open_at(const char *path, int flags, mode_t mode) {
  enter();
  enum file file = file_at(path);
  int is_new = file != NONE && (flags & O_CREAT) != 0 && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
  int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (fd >= 0 && fd < FDS_MAX) file_of_fd[fd] = file;
  if (fd >= FDS_MAX && file != NONE) die("too many open files");
  if (fd >= 0 && file != NONE && is_new) record(CREATE, file, 0, NULL, 0);
  if (fd >= 0 && file != NONE && (flags & O_TRUNC) != 0) record(TRUNCATE, file, 0, NULL, 0);
  return leave(fd);
}

static mode_t mode_of(int flags, va_list rest) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0; }

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(path, flags, mode);
}

int close(int fd) {
  enter();
  if (fd >= 0 && fd < FDS_MAX) file_of_fd[fd] = NONE;
  return leave(syscall(SYS_close, fd));
}

/* `offset` negative: where the file stands. */
static ssize_t write_at(int fd, const void *bytes, size_t count, off_t offset) {
  if (file_of(fd) == NONE) return offset < 0 ? syscall(SYS_write, fd, bytes, count) : syscall(SYS_pwrite64, fd, bytes, count, offset);
  enter();
  enum file file = file_of(fd);
  if (is_to_fail("write", file)) return leave(-1);
  off_t place = offset < 0 ? lseek(fd, 0, SEEK_CUR) : offset;
  ssize_t written = offset < 0 ? syscall(SYS_write, fd, bytes, count) : syscall(SYS_pwrite64, fd, bytes, count, offset);
  if (written > 0) record(file == MARKS ? MARK : WRITE, file, place, bytes, written);
  return leave(written);
}

ssize_t write(int fd, const void *bytes, size_t count) { return write_at(fd, bytes, count, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return write_at(fd, bytes, count, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) { return write_at(fd, bytes, count, offset); }

static int truncate_to(int fd, off_t size) {
  enter();
  int result = syscall(SYS_ftruncate, fd, size);
  if (result == 0 && file_of(fd) != NONE) record(TRUNCATE, file_of(fd), size, NULL, 0);
  return leave(result);
}

int ftruncate(int fd, off_t size) { return truncate_to(fd, size); }
int ftruncate64(int fd, off64_t size) { return truncate_to(fd, size); }

static int sync_by(long call, int fd) {
  if (file_of(fd) == NONE) return syscall(call, fd);
  enter();
  enum file file = file_of(fd);
  if (is_to_fail("sync", file)) return leave(-1);
  int result = syscall(call, fd);
  if (result == 0) record(SYNC, file, 0, NULL, 0);
  return leave(result);
}

int fsync(int fd) { return sync_by(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_by(SYS_fdatasync, fd); }

int unlink(const char *path) {
  enter();
  int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  enum file file = file_at(path);
  if (result == 0 && file != NONE) record(UNLINK, file, 0, NULL, 0);
  return leave(result);
}

/* What nobody here does to these files, and what the log could not show. */
int rename(const char *from, const char *to) {
  pthread_once(&once, start);
  if (file_at(from) != NONE || file_at(to) != NONE) die("a file of the database is renamed");
  return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static void *map(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  if ((protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0 && file_of(fd) != NONE) die("a file of the database is mapped for writing");
  return (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) { return map(at, length, protection, flags, fd, offset); }
void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) { return map(at, length, protection, flags, fd, offset); }
