internal import CLibXML2

/// A collector of the errors that libxml2 reports without a context, and would otherwise print.
final class XMLErrors {
  /// The first error, on one line.
  private(set) var first: String?

  /// Calls a function, and collects the errors that libxml2 reports to this thread meanwhile. Then restores
  /// the thread's own handler.
  func hear<Result>(_ body: () -> Result) -> Result {
    let handler = unsafe __xmlStructuredError().pointee
    let context = unsafe __xmlStructuredErrorContext().pointee
    unsafe xmlSetStructuredErrorFunc(Unmanaged.passUnretained(self).toOpaque(), errorDidOccur)
    defer { unsafe xmlSetStructuredErrorFunc(context, handler) }
    return body()
  }

  fileprivate func add(_ error: xmlError) {
    if first == nil { first = unsafe Self.message(of: error) }
  }

  /// Returns the message of an error, on one line.
  static func message(of error: xmlError) -> String {
    guard let message = unsafe string(error.message) else { return "the document is not well-formed" }
    return message.split(separator: "\n").joined(separator: " ")
  }
}

@c private func errorDidOccur(_ pointer: UnsafeMutableRawPointer?, _ error: xmlErrorPtr?) {
  guard let pointer = unsafe pointer, let error = unsafe error?.pointee else { return }
  guard unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
  unsafe Unmanaged<XMLErrors>.fromOpaque(pointer).takeUnretainedValue().add(error)
}
