import Ferry

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The standard error, with one message on each line.
enum StandardError {
  /// Writes a line. A closed standard error is ignored.
  static func write(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll((line.withoutControls + "\n").utf8)
  }

  /// Writes the losses of a conversion by kind; nothing if there are none.
  static func write(_ losses: Losses, of name: String) {
    let name = name == "-" ? "standard input" : name
    // An empty result is reported apart from losses, because nothing was lost.
    let (empty, lost) = (losses.counts.filter(\.isEmpty), losses.counts.filter { !$0.isEmpty })
    for count in empty { write("\(name): \(count.kind.message)") }
    guard !lost.isEmpty else { return }
    let kinds = lost.map { "\($0.kind.message) (\($0.count))" }
    write("\(name): not exact: \(kinds.joined(separator: ", "))")
  }

  /// Writes sentences about the way in which an input was read.
  static func write(notes: [String], of name: String) {
    for note in notes { write("\(name == "-" ? "standard input" : name): \(note)") }
  }

  /// Writes a question without a line end.
  static func ask(_ question: String) {
    _ = try? FileDescriptor.standardError.writeAll(question.utf8)
  }
}

extension Losses.Count {
  /// True if the input contained nothing to convert, so nothing was lost.
  fileprivate var isEmpty: Bool { kind == .nothingSelected }
}
