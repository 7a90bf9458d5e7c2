// Reads an XML file with libxml2's push parser and callbacks that do nothing: the least that a program which
// uses libxml2 can spend on the file.
#include <libxml/parser.h>
#include <stdio.h>

static void element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                    int namespaces, const xmlChar **list, int attributes, int defaulted,
                    const xmlChar **values) {}
static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}
static void characters(void *context, const xmlChar *text, int length) {}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file) return 2;
  xmlSAXHandler handler = {
    .initialized = XML_SAX2_MAGIC, .startElementNs = element, .endElementNs = end, .characters = characters};
  static char chunk[1 << 16];
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
  xmlCtxtUseOptions(parser, XML_PARSE_HUGE);
  size_t length;
  int problem = 0;
  while (!problem && (length = fread(chunk, 1, sizeof chunk, file)) > 0)
    problem = xmlParseChunk(parser, chunk, (int)length, 0);
  if (!problem) problem = xmlParseChunk(parser, chunk, 0, 1);
  return problem != 0;
}
