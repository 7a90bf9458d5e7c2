#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The standard error: messages, one a line.
enum StandardError {
  /// Writes a line; that nobody reads it is no failure.
  static func write(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll((line.withoutControls + "\n").utf8)
  }

  /// Writes a question, without a line's end.
  static func ask(_ question: String) {
    _ = try? FileDescriptor.standardError.writeAll(question.utf8)
  }
}
