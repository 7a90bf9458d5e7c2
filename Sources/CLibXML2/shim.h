// libxml2's headers may pull in the system's ICU, whose declarations collide with the copy inside Foundation.
// Nothing here needs ICU, so its part of the headers is switched off before they are read.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/hash.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/uri.h>
#include <libxml/xmlerror.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

static void ferry_ignore_message(void *context, const char *message, ...) { (void)context, (void)message; }

/// Makes libxml2 drop the messages that it prints on this thread beside its structured errors. Returns the function
/// that printed them. Swift cannot declare it, because its arguments vary.
static inline void *ferry_silence_messages(void) {
  void *printer = (void *)*__xmlGenericError();
  *__xmlGenericError() = ferry_ignore_message;
  return printer;
}

/// Lets libxml2 print its messages by a function again.
static inline void ferry_restore_messages(void *printer) { *__xmlGenericError() = (xmlGenericErrorFunc)printer; }
