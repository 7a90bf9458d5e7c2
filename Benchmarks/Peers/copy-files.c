// Copies files into a folder: copy-files FOLDER FILE… Each copy is written under a temporary name and renamed, as a
// program does that leaves no half-written file behind. It is what the system takes for many small files.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int copy(const char *folder, const char *file) {
  static char bytes[1 << 16], output[4096], temporary[4096 + 16];
  const char *slash = strrchr(file, '/');
  snprintf(output, sizeof output, "%s/%s", folder, slash ? slash + 1 : file);
  snprintf(temporary, sizeof temporary, "%s.temporary", output);
  int from = open(file, O_RDONLY);
  int to = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (from < 0 || to < 0) return 1;
  ssize_t length;
  while ((length = read(from, bytes, sizeof bytes)) > 0)
    if (write(to, bytes, length) != length) return 1;
  return length < 0 || close(from) || close(to) || rename(temporary, output);
}

int main(int count, char **arguments) {
  for (int index = 2; index < count; index++)
    if (copy(arguments[1], arguments[index])) return perror(arguments[index]), 1;
  return 0;
}
