import Ferry

/// The notes and losses of the inputs of a run, written to the standard error. A note, or the same kinds of losses, that many inputs have are
/// written for the first ones of them, and at the end once more with the number of the others.
struct RepeatedMessages {
  private enum Message: Hashable {
    /// A note in words. The location in each input is another one.
    case note(String)
    case sentence(String)
    case losses([Loss.Kind])
  }

  /// The number of inputs for which the same message is written.
  private let limit: Int

  /// The number of inputs that have a message.
  private var counts: [Message: Int] = [:]
  /// The messages that more than `limit` inputs have, in the order in which that was found.
  private var repeated: [Message] = []
  /// The numbers of the losses that are not written for their inputs, by kind, for the kinds that occur together.
  private var otherLosses: [[Loss.Kind]: [Int]] = [:]
  /// True after the typed form was advised, which is done once in a run.
  private var hasAdvisedTypedForm = false

  init(limit: Int = 3) { self.limit = limit }

  /// Writes sentences about an input, except those that are already written for `limit` inputs.
  mutating func write(_ sentences: [String], of input: String) {
    var (known, first) = (Set<Message>(), [String]())
    for sentence in sentences {
      let isRepeated = !known.insert(.sentence(sentence)).inserted
      if !isRepeated, isWritten(.sentence(sentence)) { first.append(sentence) }
    }
    StandardError.write(first, of: input)
  }

  /// Writes the notes of an input, except those that are already written for `limit` inputs.
  mutating func write(_ notes: [Note], of input: String) {
    var first: [Note] = []
    for note in notes where !note.isForReportsAlone && isWritten(.note(note.advised)) { first.append(note) }
    StandardError.write(first, of: input)
  }

  /// Writes the losses of an input, unless those of the same kinds are already written for `limit` inputs.
  ///
  /// - Parameters:
  ///   - hasTypedForm: True if the typed form keeps what the output format cannot hold. It is found out only for advice.
  ///   - canHaveEntries: True if the entries of a dictionary can become the rows of the output.
  mutating func write(
    _ losses: Losses, of input: String, hasTypedForm: @autoclosure () -> Bool = false,
    canHaveEntries: Bool = false
  ) {
    for counts in StandardError.parts(of: losses) {
      let (kinds, numbers) = (counts.map(\.kind), counts.map(\.count))
      if isWritten(.losses(kinds)) {
        let isAdvised =
          !hasAdvisedTypedForm && kinds.contains(where: \.isKeptByTypedForm) && hasTypedForm()
        hasAdvisedTypedForm = hasAdvisedTypedForm || isAdvised
        let others =
          canHaveEntries && losses.areOfOneRow ? Self.entries : losses.areOfRootElement ? Self.root : nil
        StandardError.writeLosses(counts, of: input, advice: isAdvised ? Self.typedForm : others)
      } else {
        otherLosses[kinds] = zip(otherLosses[kinds] ?? kinds.map { _ in 0 }, numbers).map { $0 + $1 }
      }
    }
  }

  private static let typedForm = "--form typed keeps dates, data and classes"
  private static let entries = "--to-entries --dotted makes a row of each entry of a dictionary"
  private static let root = "--select '/*' makes a record of the whole root element"

  /// Counts a message of an input. Returns true if it is written for this input.
  private mutating func isWritten(_ message: Message) -> Bool {
    let count = counts[message, default: 0] + 1
    counts[message] = count
    if count == limit + 1 { repeated.append(message) }
    return count <= limit
  }

  /// Writes, for each of the other messages, the number of the inputs that have it and for which it is not written.
  func summarize() {
    for message in repeated {
      let words =
        switch message {
        case .note(let words), .sentence(let words): words
        case .losses(let kinds):
          StandardError.sentence(about: zip(kinds, otherLosses[kinds] ?? []).map { ($0, $1) })
        }
      let others = counts[message, default: 0] - limit
      StandardError.write("\(others.counted("more file")): \(words)")
    }
  }
}

extension Loss.Kind {
  /// True if the typed form has tags for what is lost.
  fileprivate var isKeptByTypedForm: Bool { [.dateAsText, .dataAsText, .className].contains(self) }
}

extension Losses {
  /// True if several values of a dictionary that becomes the only row of a table are collections. Then its entries are probably meant as
  /// rows. A loss in a list of records has the index of the record.
  fileprivate var areOfOneRow: Bool {
    let nested = listed.filter { $0.kind == .nestedAsText }
    let count = counts.first { $0.kind == .nestedAsText }?.count ?? 0
    return count > 1 && nested.count == count && nested.allSatisfy { $0.path.isInDictionary }
  }
}

extension Losses {
  /// True if an attribute and another value of a root element of XML are left out beside the records, so that the element may be a record itself.
  fileprivate var areOfRootElement: Bool {
    let keys = listed.compactMap { loss -> String? in
      guard loss.kind == .besideRecords, loss.path.steps.count == 2,
        case .key(let key)? = loss.path.steps.last
      else { return nil }
      return key
    }
    return keys.contains { $0.hasPrefix("@") && !$0.hasPrefix("@xmlns") }
      && keys.contains { !$0.hasPrefix("@") }
  }
}

extension ValuePath {
  /// True if the path begins with a key.
  fileprivate var isInDictionary: Bool { if case .key? = steps.first { true } else { false } }
}
