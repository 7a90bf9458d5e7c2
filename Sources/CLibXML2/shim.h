// libxml2's headers may pull in the system's ICU, whose declarations collide with the copy inside Foundation.
// Nothing here needs ICU, so its part of the headers is switched off before they are read.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
