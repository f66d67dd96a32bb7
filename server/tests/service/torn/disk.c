/* A disk that fails and tears: preloaded before a server, it stands between its writes and the kernel's.
 *
 * Of the files below TORN_FOLDER it remembers what was written since the last sync. At operation TORN_CRASH_AT the power fails: what
 * was not synced is there whole, in part or not at all, in any order, and the process is gone. Of a thousand operations TORN_FAILING
 * fail, in bursts: EIO, ENOSPC, or a write that is cut short. TORN_SEED says when and how. From operation TORN_POINT on, TORN_TIMES of them
 * fail with the error TORN_ERROR, or as writes cut short where it is 0. While there is a file TORN_UNSYNCED, no sync
 * of SQLite's log succeeds, though what was written is there. Synced folders are listed in the file TORN_SYNCED. Nothing else changes. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, PATH_BYTES = 512, BURST = 48 };

/* A write, or a change of length, that may not have reached the disk. */
struct pending {
  char path[PATH_BYTES];
  off_t at, length_before, length_after; /* length_after is -1 for a write */
  size_t old_bytes, new_bytes;
  char *old, *new;
  struct pending *before, *after;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pending *first, *last;
static uint64_t operations, crash_at, failing, point, times, chance_state;
static int point_error;
static char folder[PATH_BYTES];
static const char *unsynced, *synced;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_fsync)(int), (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off64_t);
static int (*real_unlink)(const char *), (*real_rename)(const char *, const char *);

static uint64_t number_from(const char *name) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  crash_at = number_from("TORN_CRASH_AT");
  failing = number_from("TORN_FAILING");
  point = number_from("TORN_POINT");
  times = number_from("TORN_TIMES");
  point_error = number_from("TORN_ERROR");
  chance_state = number_from("TORN_SEED") * 2862933555777941757ULL + 3037000493ULL;
  unsynced = getenv("TORN_UNSYNCED");
  synced = getenv("TORN_SYNCED");
  const char *name = getenv("TORN_FOLDER");
  if (name) snprintf(folder, sizeof folder, "%s/", name);
}

static uint64_t random_below(uint64_t below) {
  chance_state ^= chance_state >> 12;
  chance_state ^= chance_state << 25;
  chance_state ^= chance_state >> 27;
  return (chance_state * 2685821657736338717ULL >> 33) % below;
}

/* The path behind a descriptor; 0 where it is none of the folder's files. */
static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_BYTES - 1);
  if (length <= 0 || !folder[0]) return 0;
  path[length] = 0;
  struct stat about;
  return strncmp(path, folder, strlen(folder)) == 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
}

static void forget(struct pending *gone) {
  *(gone->before ? &gone->before->after : &first) = gone->after;
  *(gone->after ? &gone->after->before : &last) = gone->before;
  free(gone->old);
  free(gone->new);
  free(gone);
}

static void forget_path(const char *path) {
  for (struct pending *one = first, *next; one; one = next) {
    next = one->after;
    if (strcmp(one->path, path) == 0) forget(one);
  }
}

static void remember(int fd, const char *path, off_t at, const void *bytes, size_t count, off_t length_after) {
  struct pending *one = calloc(1, sizeof *one);
  struct stat about;
  fstat(fd, &about);
  strcpy(one->path, path);
  one->at = at;
  one->length_before = about.st_size;
  one->length_after = length_after;
  off_t end = length_after < 0 ? at + (off_t)count : about.st_size;
  if (end > about.st_size) end = about.st_size;
  if (end > at) {
    one->old = malloc(end - at);
    ssize_t kept = pread(fd, one->old, end - at, at);
    one->old_bytes = kept > 0 ? kept : 0;
  }
  if (count) {
    one->new = malloc(count);
    memcpy(one->new, bytes, count);
    one->new_bytes = count;
  }
  one->before = last;
  *(last ? &last->after : &first) = one;
  last = one;
}

/* What of a write reached the disk: all, nothing, or some of its sectors, of which one may be cut. */
static void reach(int fd, const struct pending *one) {
  uint64_t how = random_below(4);
  if (how == 0) return;
  if (one->length_after >= 0) {
    real_ftruncate(fd, one->length_after);
    return;
  }
  for (size_t done = 0; done < one->new_bytes;) {
    size_t count = SECTOR - (one->at + done) % SECTOR;
    if (count > one->new_bytes - done) count = one->new_bytes - done;
    if (how > 1) {
      real_pwrite(fd, one->new + done, count, one->at + done);
    } else if (random_below(2)) {
      real_pwrite(fd, one->new + done, random_below(8) ? count : random_below(count) + 1, one->at + done);
    }
    done += count;
  }
}

static void fail_power(void) {
  for (struct pending *one = last; one; one = one->before) {
    int fd = open(one->path, O_RDWR);
    if (fd < 0) continue;
    real_pwrite(fd, one->old, one->old_bytes, one->at);
    real_ftruncate(fd, one->length_before);
    close(fd);
  }
  for (struct pending *one = first; one; one = one->after) {
    int fd = open(one->path, O_RDWR);
    if (fd < 0) continue;
    reach(fd, one);
    close(fd);
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Counts an operation; whether it is the last, and whether it fails. */
static int is_last(void) { return ++operations == crash_at; }
static int fails(void) { return failing && operations / BURST % 4 == 3 && random_below(1000) < failing; }

static int is_point(void) { return point && operations >= point && operations < point + times; }

static ssize_t torn_write(int fd, const void *bytes, size_t count, off_t at, int moves) {
  char path[PATH_BYTES];
  if (!path_of(fd, path)) return moves ? real_write(fd, bytes, count) : real_pwrite(fd, bytes, count, at);
  pthread_mutex_lock(&lock);
  if (moves) at = lseek(fd, 0, SEEK_CUR);
  int power_fails = is_last();
  ssize_t written = -1;
  if (!power_fails && fails()) {
    if (random_below(3) == 0 && count > 1) {
      count = random_below(count - 1) + 1;
    } else {
      errno = random_below(2) ? EIO : ENOSPC;
      goto done;
    }
  }
  if (is_point() && point_error) {
    errno = point_error;
    goto done;
  }
  if (is_point()) count = (count + 1) / 2;
  remember(fd, path, at, bytes, count, -1);
  if (power_fails) fail_power();
  written = moves ? real_write(fd, bytes, count) : real_pwrite(fd, bytes, count, at);
done:;
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

static int torn_sync(int fd, int (*sync)(int)) {
  char path[PATH_BYTES];
  if (!path_of(fd, path)) {
    FILE *list = synced ? fopen(synced, "a") : NULL;
    if (list) fprintf(list, "%s\n", path), fclose(list);
    return sync(fd);
  }
  pthread_mutex_lock(&lock);
  if (is_last()) fail_power();
  const char *log = strstr(path, "-wal");
  int at_point = is_point() && point_error, failed = at_point || fails() || (log && !log[4] && unsynced && access(unsynced, F_OK) == 0);
  if (!failed) forget_path(path);
  /* The real sync is spared: the process dies, the machine does not. */
  pthread_mutex_unlock(&lock);
  errno = at_point ? point_error : EIO;
  return failed ? -1 : 0;
}

static int torn_truncate(int fd, off_t length) {
  char path[PATH_BYTES];
  if (!path_of(fd, path)) return real_ftruncate(fd, length);
  pthread_mutex_lock(&lock);
  int power_fails = is_last(), at_point = is_point() && point_error, failed = at_point || (!power_fails && fails()), outcome = -1;
  if (!failed) {
    remember(fd, path, length, NULL, 0, length);
    if (power_fails) fail_power();
    outcome = real_ftruncate(fd, length);
  }
  pthread_mutex_unlock(&lock);
  if (failed) errno = at_point ? point_error : EIO;
  return outcome;
}

ssize_t write(int fd, const void *bytes, size_t count) { return torn_write(fd, bytes, count, 0, 1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return torn_write(fd, bytes, count, at, 0); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return torn_write(fd, bytes, count, at, 0); }
int fsync(int fd) { return torn_sync(fd, real_fsync); }
int fdatasync(int fd) { return torn_sync(fd, real_fdatasync); }
int ftruncate(int fd, off_t length) { return torn_truncate(fd, length); }
int ftruncate64(int fd, off64_t length) { return torn_truncate(fd, length); }

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  forget_path(path);
  pthread_mutex_unlock(&lock);
  return real_unlink(path);
}

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&lock);
  forget_path(from);
  forget_path(to);
  pthread_mutex_unlock(&lock);
  return real_rename(from, to);
}
