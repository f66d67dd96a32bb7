/* Sockets that fail: preloaded before a server, it stands between its calls for TCP connections and the kernel's.
 *
 * While there is a file SOCKETS_FAILING, calls of SOCKETS_CALL (accept, recv or write) fail: the first, the second after it, the third
 * after that, and so on, SOCKETS_TIMES in a row. They fail with the error SOCKETS_ERROR, or carry one byte where it is 0. As a kernel would,
 * it reports once more what can be done with the socket. At the end it says on standard error how many have failed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096, DISTANCE_MAX = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t calls, distance = 1, times, in_row, failed;
static int error;
static const char *failing, *call_name;
static struct { int epoll; struct epoll_event event; } watched[DESCRIPTORS];

static int (*real_accept4)(int, struct sockaddr *, socklen_t *, int);
static int (*real_epoll_ctl)(int, int, int, struct epoll_event *);
static ssize_t (*real_recv)(int, void *, size_t, int), (*real_send)(int, const void *, size_t, int);
static ssize_t (*real_writev)(int, const struct iovec *, int);

__attribute__((constructor)) static void begin(void) {
  real_accept4 = dlsym(RTLD_NEXT, "accept4");
  real_epoll_ctl = dlsym(RTLD_NEXT, "epoll_ctl");
  real_recv = dlsym(RTLD_NEXT, "recv");
  real_send = dlsym(RTLD_NEXT, "send");
  real_writev = dlsym(RTLD_NEXT, "writev");
  failing = getenv("SOCKETS_FAILING");
  call_name = getenv("SOCKETS_CALL");
  times = atoi(getenv("SOCKETS_TIMES"));
  error = atoi(getenv("SOCKETS_ERROR"));
}

__attribute__((destructor)) static void end(void) { fprintf(stderr, "calls that failed: %lu\n", (unsigned long)failed); }

/* Whether this call fails. */
static int fails(int fd, const char *name) {
  int family = 0;
  socklen_t size = sizeof family;
  if (strcmp(name, call_name) || getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) || family != AF_INET || access(failing, F_OK)) return 0;
  pthread_mutex_lock(&lock);
  if (in_row == 0 && ++calls == distance) {
    in_row = times;
    calls = 0;
    distance = distance % DISTANCE_MAX + 1;
  }
  int is_failure = in_row > 0;
  if (is_failure) in_row--, failed++;
  if (is_failure && fd < DESCRIPTORS && (error == 0 || error == EAGAIN)) real_epoll_ctl(watched[fd].epoll, EPOLL_CTL_MOD, fd, &watched[fd].event);
  pthread_mutex_unlock(&lock);
  errno = error;
  return is_failure;
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  if (fd < DESCRIPTORS && event) {
    watched[fd].epoll = epoll;
    watched[fd].event = *event;
  }
  return real_epoll_ctl(epoll, operation, fd, event);
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  return fails(fd, "accept") ? -1 : real_accept4(fd, address, length, flags);
}

ssize_t recv(int fd, void *bytes, size_t count, int flags) {
  if (!fails(fd, "recv")) return real_recv(fd, bytes, count, flags);
  return error ? -1 : real_recv(fd, bytes, 1, flags);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  if (!fails(fd, "write")) return real_send(fd, bytes, count, flags);
  return error ? -1 : real_send(fd, bytes, 1, flags);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!fails(fd, "write")) return real_writev(fd, parts, count);
  while (count > 1 && parts->iov_len == 0) parts++, count--;
  return error ? -1 : real_send(fd, parts->iov_base, parts->iov_len ? 1 : 0, MSG_NOSIGNAL);
}
