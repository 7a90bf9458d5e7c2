// Runs a command and writes its processor time, wall time (seconds) and peak memory (KiB) to a file:
// measure FILE COMMAND... A small program, because the peak of a process counts what its parent held at the fork.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
  if (count < 3) return 2;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) {
    execvp(arguments[2], arguments + 2);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 2;
  clock_gettime(CLOCK_MONOTONIC, &end);
  FILE *file = fopen(arguments[1], "w");
  if (!file) return 2;
#ifdef __APPLE__
  usage.ru_maxrss /= 1024;
#endif
  fprintf(file, "%.6f %.6f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
          (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec) / 1e9, usage.ru_maxrss);
  fclose(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
