import Ferry
import Synchronization

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The standard error, with one message on each line, and at its end a line that shows the progress.
enum StandardError {
  /// The last line of the terminal.
  private enum LastLine {
    case complete
    /// The progress, which is erased before other lines.
    case progress
    /// The beginning of a line of the standard output, which the progress must not erase.
    case output
  }

  private static let lastLine = Mutex(LastLine.complete)
  private static let eraseLine = "\r\u{1b}[K"

  /// Writes a line, with all invisible characters escaped. A closed standard error is ignored.
  static func write(_ line: String) { writeLine(line.withoutInvisibles) }

  private static func writeLine(_ line: String) {
    lastLine.withLock { last in
      put((last == .progress ? eraseLine : "") + line + "\n")
      last = .complete
    }
  }

  /// Shows a line until the next message, or removes it if it is empty.
  static func showProgress(_ line: String) {
    lastLine.withLock { last in
      guard last == .progress || last == .complete && !line.isEmpty else { return }
      put(eraseLine + line)
      last = line.isEmpty ? .complete : .progress
    }
  }

  /// Erases the progress before bytes are written to the standard output on the same terminal.
  static func makeRoom(forOutput bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    lastLine.withLock { last in
      if last == .progress { put(eraseLine) }
      last = bytes[bytes.count - 1] == UInt8(ascii: "\n") ? .complete : .output
    }
  }

  private static func put(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

  /// Writes the line of a text or the bytes at the location of an error, if the user wants to see them.
  static func explain(_ error: NamedError) {
    guard Terminal.explainsErrors else { return }
    guard let excerpt = ErrorExcerpt(of: error, width: Terminal.errorWidth) else {
      if Terminal.isExplanationAskedFor, error.error.location.line != nil || error.error.location.byte != nil
      {
        write("  (the line of the error is empty, or cannot be read again)")
      }
      return
    }
    let colors = Colors(areShown: Terminal.showsErrorColors)
    // The excerpt has no control characters, and the mark is below a column of it.
    excerpt.lines.dropLast().forEach(writeLine)
    if let mark = excerpt.lines.last { writeLine(colors(mark, .warning)) }
  }

  /// Writes sentences about an input, each in a line that begins with its name.
  static func write(_ sentences: [String], of input: String) {
    for sentence in sentences { write("\(inputName(input)): \(sentence)") }
  }

  /// Writes notes about an input, each in a line that begins with its name, and with the line and column if the note has them.
  static func write(_ notes: [Note], of input: String) {
    for note in notes where !note.isForReportsAlone {
      let location = note.location.line == nil ? "" : "\(note.location):"
      write("\(inputName(input)):\(location) \(note.advised)")
    }
  }

  /// Writes the losses of a conversion by kind; nothing if there are none.
  static func write(_ losses: Losses, of input: String) {
    for counts in parts(of: losses) { writeLosses(counts, of: input) }
  }

  /// Returns the numbers of losses by kind, for one line each. An empty result is reported apart from losses, because nothing was lost.
  static func parts(of losses: Losses) -> [[(kind: Loss.Kind, count: Int)]] {
    let counts = losses.counts.map { (kind: $0.kind, count: $0.count) }
    let lost = counts.filter { !$0.kind.isOfEmptyResult }
    return counts.filter(\.kind.isOfEmptyResult).map { [$0] } + (lost.isEmpty ? [] : [lost])
  }

  /// Writes numbers of losses in a line that begins with the name of an input; nothing if there are none.
  ///
  /// - Parameter advice: A way to keep what is lost, or nil.
  static func writeLosses(
    _ counts: [(kind: Loss.Kind, count: Int)], of input: String, advice: String? = nil
  ) {
    if !counts.isEmpty { write([sentence(about: counts) + (advice.map { "; \($0)" } ?? "")], of: input) }
  }

  /// Returns a sentence about losses with their numbers, or about an empty result.
  static func sentence(about counts: [(kind: Loss.Kind, count: Int)]) -> String {
    if let (kind, _) = counts.first, kind.isOfEmptyResult { return kind.advised }
    return "not exact: " + counts.map { "\($0.kind.advised) (\($0.count))" }.joined(separator: ", ")
  }

  /// Writes a question without a line end.
  static func ask(_ question: String) {
    put(question)
  }

  /// Returns the name of an input in messages.
  static func inputName(_ name: String) -> String { name == "-" ? "standard input" : name }
}

extension Loss.Kind {
  /// True if the input contained nothing to convert, so nothing was lost.
  fileprivate var isOfEmptyResult: Bool { self == .nothingSelected }
}
