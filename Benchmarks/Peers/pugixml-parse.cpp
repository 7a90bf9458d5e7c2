// Reads an XML file into pugixml's tree.
#include <pugixml.hpp>

int main(int count, char **arguments) {
  if (count != 2) return 2;
  pugi::xml_document document;
  return document.load_file(arguments[1], pugi::parse_default | pugi::parse_ws_pcdata) ? 0 : 1;
}
