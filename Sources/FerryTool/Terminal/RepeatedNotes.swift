import Ferry

/// The notes of the inputs of a run, written to the standard error. A note that many inputs have is written for the first three of them, and
/// at the end once more with the number of the others.
struct RepeatedNotes {
  /// The number of inputs for which the same note is written.
  private static let limit = 3

  /// The number of inputs that have a note.
  private var counts: [Note: Int] = [:]
  /// The notes that more than `limit` inputs have, in the order in which that was found.
  private var repeated: [Note] = []

  /// Writes the notes of an input, except those that are already written for `limit` inputs.
  mutating func write(_ notes: [Note], of input: String) {
    var first: [Note] = []
    for note in notes {
      let count = counts[note, default: 0] + 1
      counts[note] = count
      if count <= Self.limit { first.append(note) } else if count == Self.limit + 1 { repeated.append(note) }
    }
    StandardError.write(first, of: input)
  }

  /// Writes, for each of the other notes, the number of the inputs that have it and for which it is not written.
  func summarize() {
    for note in repeated {
      let others = counts[note, default: 0] - Self.limit
      StandardError.write("\(others.counted("more file")): \(note.advised)")
    }
  }
}
