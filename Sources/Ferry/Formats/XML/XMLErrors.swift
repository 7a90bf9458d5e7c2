internal import CLibXML2

/// A collector of errors that libxml2 reports without a context. libxml2 would print them otherwise.
final class XMLErrors {
  /// The first error in a few words; nil if there is none.
  private var first: String?
  /// The byte of an XPath at which the first error is.
  private var firstOffset = 0

  /// The first error in a few words.
  var words: String { first ?? "it cannot be evaluated" }

  /// True if the first error is that libxml2 has no room for more nodes.
  private(set) var isOutOfRoom = false

  /// Returns the first error in the syntax of an XPath, with its column.
  func words(inXPath expression: XPathExpression) -> String {
    let offset = expression.offset(ofByteForLibXML: firstOffset)
    return offset > 0 ? "\(words) (column \(offset + 1))" : words
  }

  /// Calls a function, and collects the errors that libxml2 reports on this thread during the call. It prints
  /// nothing meanwhile. Afterward restores the thread's error handlers.
  func hear<Result>(_ body: () -> Result) -> Result {
    let handler = unsafe __xmlStructuredError().pointee
    let context = unsafe __xmlStructuredErrorContext().pointee
    unsafe xmlSetStructuredErrorFunc(Unmanaged.passUnretained(self).toOpaque(), errorDidOccur)
    let printer = unsafe ferry_silence_messages()
    defer {
      unsafe xmlSetStructuredErrorFunc(context, handler)
      unsafe ferry_restore_messages(printer)
    }
    return body()
  }

  fileprivate func add(_ error: xmlError) {
    guard first == nil else { return }
    first = unsafe Self.words(for: error)
    isOutOfRoom = unsafe Self.isOutOfRoom(error)
    firstOffset = unsafe Int(error.int1)
  }

  /// Returns true for the error of a set of nodes that cannot grow. Older versions of libxml2 report it as one of memory in general.
  private static func isOutOfRoom(_ error: xmlError) -> Bool {
    guard unsafe error.domain == XML_FROM_XPATH.rawValue else { return false }
    let code = unsafe xmlParserErrors(rawValue: UInt32(truncatingIfNeeded: error.code))
    return code == XML_ERR_NO_MEMORY || code == XML_XPATH_MEMORY_ERROR
  }

  /// Returns the message for an error in XPath or in character conversion.
  private static func words(for error: xmlError) -> String {
    let code = unsafe xmlParserErrors(rawValue: UInt32(truncatingIfNeeded: error.code))
    guard unsafe error.domain == XML_FROM_XPATH.rawValue else {
      return "these bytes are not text in the document's encoding"
    }
    return xpathWords.first { $0.0 == code }?.1 ?? "it cannot be evaluated"
  }

  private static let xpathWords: [(xmlParserErrors, String)] = [
    (XML_XPATH_NUMBER_ERROR, "a number is not complete"),
    (XML_XPATH_UNFINISHED_LITERAL_ERROR, "a closing quotation mark is missing"),
    (XML_XPATH_START_LITERAL_ERROR, "a quotation mark is expected"),
    (XML_XPATH_VARIABLE_REF_ERROR, "a variable has no name"),
    (XML_XPATH_UNDEF_VARIABLE_ERROR, "variables are not supported"),
    (XML_XPATH_INVALID_PREDICATE_ERROR, "a condition in [ ] is not complete"),
    (XML_XPATH_EXPR_ERROR, "it is not an XPath 1.0 expression"),
    (XML_XPATH_UNCLOSED_ERROR, "a parenthesis is not closed"),
    (XML_XPATH_UNKNOWN_FUNC_ERROR, "a function is not known"),
    (XML_XPATH_INVALID_OPERAND, "an operand is not of the type that is needed"),
    (XML_XPATH_INVALID_TYPE, "a value is not of the type that is needed"),
    (XML_XPATH_INVALID_ARITY, "a function has too many or too few arguments"),
    (XML_XPATH_MEMORY_ERROR, "out of memory"),
    (XML_XPATH_UNDEF_PREFIX_ERROR, "a prefix is not declared in the document"),
    (XML_XPATH_ENCODING_ERROR, "it is not UTF-8"),
    (XML_XPATH_INVALID_CHAR_ERROR, "it has a character that XML does not allow"),
  ]
}

@c private func errorDidOccur(_ pointer: UnsafeMutableRawPointer?, _ error: xmlErrorPtr?) {
  guard let pointer = unsafe pointer, let error = unsafe error?.pointee else { return }
  guard unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
  unsafe Unmanaged<XMLErrors>.fromOpaque(pointer).takeUnretainedValue().add(error)
}
