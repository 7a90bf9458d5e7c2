// Calls of the system that are not in the modules of the C libraries: two of renaming, which give 0, or -1 and errno, two on the memory
// of the process, one on the size of a pipe, and on Linux those of extended attributes.
#pragma once

#ifdef __linux__
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Gives each of two files or folders the other's name, in one step.
static inline int ferry_exchange(const char *a, const char *b) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2u /* RENAME_EXCHANGE */);
}

/// Renames a file or folder to a name that nothing has.
static inline int ferry_rename_to_new(const char *a, const char *b) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 1u /* RENAME_NOREPLACE */);
}

/// Asks the system to use large pages for memory. Changes nothing if it has none.
static inline void ferry_prefer_large_pages(void *start, size_t size) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = ((uintptr_t)start + page - 1) / page * page;
  uintptr_t end = ((uintptr_t)start + size) / page * page;
  if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/// Asks the system to let a pipe hold some bytes. Changes nothing if they are too many, or for another file.
static inline void ferry_enlarge_pipe(int descriptor, int size) {
  fcntl(descriptor, 1031 /* F_SETPIPE_SZ */, size);
}
#else
#include <stdio.h>
#include <sys/stdio.h>

/// Gives each of two files or folders the other's name, in one step.
static inline int ferry_exchange(const char *a, const char *b) { return renamex_np(a, b, RENAME_SWAP); }

/// Renames a file or folder to a name that nothing has.
static inline int ferry_rename_to_new(const char *a, const char *b) { return renamex_np(a, b, RENAME_EXCL); }

/// Does nothing, because the system chooses the pages.
static inline void ferry_prefer_large_pages(void *start, size_t size) {
  (void)start;
  (void)size;
}

/// Does nothing, because the system chooses the size.
static inline void ferry_enlarge_pipe(int descriptor, int size) {
  (void)descriptor;
  (void)size;
}
#endif

#ifdef __GLIBC__
#include <malloc.h>

/// Lets the C library keep freed blocks of up to 32 MiB, the largest size that it accepts, for later allocations.
static inline void ferry_keep_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 0x7fffffff);
}
#else
static inline void ferry_keep_freed_memory(void) {}
#endif
