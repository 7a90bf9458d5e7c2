import Ferry

/// The notes of the inputs of a run on the standard error. A note that many inputs have is written for the first of them, and at the end with
/// the number of the others.
struct RepeatedNotes {
  /// The number of inputs for which an equal note is written.
  private static let limit = 3

  /// The number of inputs that have a note.
  private var counts: [Note: Int] = [:]
  /// The notes that more inputs have, in the order in which they were found.
  private var repeated: [Note] = []

  /// Writes the notes of an input that few inputs before it have.
  mutating func write(_ notes: [Note], of input: String) {
    var first: [Note] = []
    for note in notes {
      let count = counts[note, default: 0] + 1
      counts[note] = count
      if count <= Self.limit { first.append(note) } else if count == Self.limit + 1 { repeated.append(note) }
    }
    StandardError.write(first, of: input)
  }

  /// Writes the number of the other inputs for each note.
  func summarize() {
    for note in repeated {
      StandardError.write("\(((counts[note] ?? 0) - Self.limit).counted("more file")): \(note.advised)")
    }
  }
}
