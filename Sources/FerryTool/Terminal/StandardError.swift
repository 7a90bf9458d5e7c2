import Ferry

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

  /// Writes what a conversion has lost, by its kinds; nothing when that is nothing.
  static func write(_ losses: Losses, of name: String) {
    let name = name == "-" ? "standard input" : name
    // Nothing of what was read is lost, but there was nothing to read.
    let (empty, lost) = (losses.counts.filter(\.isEmpty), losses.counts.filter { !$0.isEmpty })
    for count in empty { write("\(name): \(count.kind.rawValue)") }
    guard !lost.isEmpty else { return }
    let kinds = lost.map { "\($0.kind.rawValue) (\($0.count))" }
    write("\(name): not exact: \(kinds.joined(separator: ", "))")
  }

  /// Writes sentences on how an input was read.
  static func write(notes: [String], of name: String) {
    for note in notes { write("\(name == "-" ? "standard input" : name): \(note)") }
  }

  /// Writes a question, without a line's end.
  static func ask(_ question: String) {
    _ = try? FileDescriptor.standardError.writeAll(question.utf8)
  }
}

extension Losses.Count {
  /// True if there was nothing that could have been kept.
  fileprivate var isEmpty: Bool { kind == .nothingSelected }
}
