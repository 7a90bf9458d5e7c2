// Merging of the versions' texts.

extension MergedFile {
  /// Returns the text of XML with conflicts, merged element by element, if it has the merged value.
  func mergedElements(_ losses: LossReport) -> Made? {
    guard !merged.conflicts.isEmpty, ours.format.isXML, let texts = commentedTexts(withLineFeeds: false),
      let text = TextMerge(texts, by: .elements, favoring: winner),
      let value = value(of: bytes(of: text)), SharedComparison.areSame(value, result)
    else { return nil }
    return made(text, result, losses)
  }

  /// Returns the merged text of the versions if it has the merged value, or differs from that only by values
  /// which the favored side keeps in a conflict of the text. A text without a conflict that has comments at other entries
  /// is left out.
  func mergedText(_ check: CommentCheck?, _ losses: LossReport) -> Made? {
    for text in texts(favoring: winner) {
      guard let value = value(of: bytes(of: text)) else { continue }
      guard !SharedComparison.areSame(value, result) else {
        let faults = faults(of: bytes(of: text), check)
        guard !text.contentConflicts.isEmpty || faults.isEmpty else { continue }
        var made = made(text, result, losses)
        let restored = faults.restored.filter { !text.markupInConflicts.contains($0) }
        made.conflicts += conflicts(lacking: [], CommentCheck.Faults(restored: restored), losses)
        return made
      }
      // A finer unit may find no conflict, but put the comment into another value.
      if !text.contentConflicts.isEmpty, undoesRemovals(value) { return made(text, value, losses) }
    }
    return nil
  }

  /// Returns the merged text with the changes of the side that is not favored where both sides have changed the text, if it has the merged value
  /// and all comments. The favored side may have changed only the layout there.
  ///
  ///     base [1, 2]    ours [1, 2,]    theirs [2, 1] // o    →    [2, 1] // o
  func textOfOtherSide(_ check: CommentCheck?, _ losses: LossReport) -> Made? {
    for text in texts(favoring: winner == .theirs ? .ours : .theirs) where text.contentConflicts.isEmpty {
      guard let value = value(of: bytes(of: text)), SharedComparison.areSame(value, result),
        faults(of: bytes(of: text), check).isEmpty
      else { continue }
      return made(text, result, losses)
    }
    return nil
  }

  /// Returns the merged text without comments of the favored side in values that the other side removed.
  func textWithoutRemovals(_ losses: LossReport) -> Made? {
    for text in texts(favoring: winner == .theirs ? .ours : .theirs) where !text.contentConflicts.isEmpty {
      guard let value = value(of: bytes(of: text)), SharedComparison.areSame(value, result) else {
        continue
      }
      return made(text, result, losses)
    }
    return nil
  }

  /// Returns the merged texts, by each unit of comparison. Texts in which one side has changed all line ends are compared without these
  /// first.
  private func texts(favoring side: MergeSide) -> some Sequence<TextMerge> {
    let ends: [[UInt8]?] = lineEnd.map { [$0, nil] } ?? [nil]
    return ends.lazy.compactMap { end in
      commentedTexts(withLineFeeds: end != nil).map { texts in
        TextMerge.all(texts, favoring: side, lineEnd: end ?? [UInt8(ascii: "\n")])
      }
    }.joined()
  }

  /// The line end of the result if every version has one line end throughout, and these differ: that of the side which has changed it.
  /// Nil for other versions.
  private var lineEnd: [UInt8]? {
    guard let base, let old = base.text.onlyLineEnd, let our = ours.text.onlyLineEnd,
      let their = theirs.text.onlyLineEnd, our != old || their != old
    else { return nil }
    return our == old ? their : our
  }

  /// Returns the texts of the versions with their comments; nil if they have other formats or encodings than ours.
  private func commentedTexts(withLineFeeds hasLineFeeds: Bool) -> Versions<CommentedText>? {
    guard versions.all.allSatisfy({ $0.encoding == ours.encoding }) else { return nil }
    return versions.textsInOneFormat?.map { text in
      CommentedText(hasLineFeeds ? text.withLineFeeds : text, ours.format, budget: files.budget)
    }
  }

  private func made(_ text: TextMerge, _ value: Value, _ losses: LossReport) -> Made {
    let conflicts = text.contentConflicts
    // The values in conflict determine their text.
    if merged.conflicts.isEmpty, conflicts.count < text.conflicts.count { losses.add(.layout) }
    return (bytes(of: text), value, conflicts)
  }

  /// Returns the bytes of a merged text, in the encoding of our version.
  private func bytes(of text: TextMerge) -> [UInt8] { ours.encoding.encoded(text.bytes) }

  /// Returns the value of a merged file; nil if the file is not valid.
  func value(of bytes: [UInt8]) -> Value? {
    var reading = files
    reading.source = ours.format
    let read = try? reading.read(bytes, named: nil, as: ours.shape, fallback: ours.schema)
    guard let read, hasColumns(read), !addsRepeatedKeys(bytes) else { return nil }
    return read.value
  }

  /// Returns false for a table that lacks columns of the merged one, if this has no rows that show its columns.
  func hasColumns(_ table: RecordDocument) -> Bool {
    guard !columns.isEmpty, case .array(let rows) = merged.value, rows.isEmpty else { return true }
    return Set(table.table(files.budget)?.columnNames ?? []).isSuperset(of: columns)
  }

  /// Returns true if a value differs from the merged one only by values that it has besides, all of the favored side.
  private func undoesRemovals(_ value: Value) -> Bool {
    guard let undoing, let side = merged.versions[winner],
      let both = try? undoing.merge(base: merged.value, ours: value, theirs: side)
    else { return false }
    return both.conflicts.isEmpty && SharedComparison.areSame(both.value, side)
      && value.includes(merged.value)
  }

  /// Returns true if a text repeats more keys than each version. Two orders of keys, merged token by token,
  /// may have a key twice.
  private func addsRepeatedKeys(_ bytes: [UInt8]) -> Bool {
    func count(_ bytes: [UInt8]) -> Int {
      RepeatedKeys.count(in: bytes, format: ours.format, budget: files.budget)
    }
    let repeated = count(bytes)
    return repeated > 0 && repeated > max(count(ours.bytes), count(theirs.bytes))
  }
}

extension Value {
  /// Returns true if the value has everything that another value has, in the same order.
  ///
  ///     {"a": [1, 2, 3], "b": 4} includes {"a": [1, 3]}
  fileprivate func includes(_ part: Value) -> Bool {
    switch (self, part) {
    case (.dictionary(let entries), .dictionary(let parts)):
      parts.allSatisfy { key, part in entries[key]?.includes(part) == true }
    case (.array(let elements), .array(let parts)), (.set(let elements), .set(let parts)):
      elements.include(parts)
    // XML has one element as itself, and several as a list.
    case (.array(let elements), _): elements.include([part])
    case (.object(let object), .object(let part)):
      object.type == part.type && object.content.includes(part.content)
    case (_, .string("")), (_, .null): parts.isEmpty ? self == part : true
    default: self == part
    }
  }
}

extension [Value] {
  /// Returns true if there are elements that include the parts, in the order of the parts.
  fileprivate func include(_ parts: [Value]) -> Bool {
    var left = parts[...]
    for element in self {
      guard let next = left.first else { break }
      if element.includes(next) { left.removeFirst() }
    }
    return left.isEmpty
  }
}
