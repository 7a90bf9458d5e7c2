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

  /// Writes sentences about an input, each in a line that begins with its name.
  static func write(_ sentences: [String], of input: String) {
    for sentence in sentences { write("\(inputName(input)): \(sentence)") }
  }

  /// Writes the losses of a conversion by kind; nothing if there are none.
  static func write(_ losses: Losses, of input: String) {
    // An empty result is reported apart from losses, because nothing was lost.
    let (empty, lost) = (losses.counts.filter(\.isEmpty), losses.counts.filter { !$0.isEmpty })
    write(empty.map(\.kind.message), of: input)
    guard !lost.isEmpty else { return }
    let kinds = lost.map { "\($0.kind.message) (\($0.count))" }
    write(["not exact: \(kinds.joined(separator: ", "))"], of: input)
  }

  /// Writes a question without a line end.
  static func ask(_ question: String) {
    _ = try? FileDescriptor.standardError.writeAll(question.utf8)
  }

  /// Returns the name of an input in messages.
  static func inputName(_ name: String) -> String { name == "-" ? "standard input" : name }
}

extension Losses.Count {
  /// True if the input contained nothing to convert, so nothing was lost.
  fileprivate var isEmpty: Bool { kind == .nothingSelected }
}
