// Reads an XML file with expat and callbacks that do nothing.
#include <expat.h>
#include <stdio.h>

static void element(void *data, const XML_Char *name, const XML_Char **attributes) {}
static void end(void *data, const XML_Char *name) {}
static void characters(void *data, const XML_Char *text, int length) {}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file) return 2;
  static char chunk[1 << 16];
  XML_Parser parser = XML_ParserCreateNS(NULL, '|');
  XML_SetElementHandler(parser, element, end);
  XML_SetCharacterDataHandler(parser, characters);
  size_t length;
  do {
    length = fread(chunk, 1, sizeof chunk, file);
    if (XML_Parse(parser, chunk, (int)length, length == 0) != XML_STATUS_OK) return 1;
  } while (length > 0);
  return 0;
}
