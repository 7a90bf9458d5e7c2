/// A value that both sides have changed differently.
///
///     [itemKey="key-3"].name: ours "Lamp", theirs "Desk lamp", base "Light"
public struct MergeConflict: Hashable, Sendable {
  /// The path of the value, as `get` and `set` accept it. A record in the path is named by its key or,
  /// without a key, by its index (in our version if the record occurs there).
  public var path: ValuePath
  /// The value in each version, or nil if that version has none.
  public var base, ours, theirs: Value?
  /// The column of a table, if the value is a new cell in a column that the other side has removed or renamed; otherwise nil.
  public var removedColumn: String?
  /// True if the value is a record that one side has removed, and to which the result refers because the other side has added a reference, or
  /// kept another record in conflict. The result keeps the record, also if the favored side has removed it.
  public var isReferred = false
}

extension MergeConflict: CustomStringConvertible {
  /// The conflict in one line: the path, and the value of each version. If the beginnings of large values are equal, the line has the first
  /// parts that differ.
  public var description: String {
    let location = path.isEmpty ? "the whole document" : path.description
    if let removedColumn {
      let side = ours == nil ? MergeSide.ours : .theirs
      let column = MessageText.quoted(removedColumn)
      return "\(location)\(values) (\(side) has removed or renamed the column \(column))"
    }
    if isReferred {
      let side = ours == nil ? MergeSide.theirs : .ours
      return "\(location)\(values) (\(side) refers to it)"
    }
    guard words(ours) == words(theirs), let part = firstDifferentPart else { return location + values }
    return "\(location), first at \(part.path)\(part.values)"
  }

  /// The value of each version, or its part from the first difference on between versions that would look alike.
  var values: String {
    guard let excerpts = ConflictExcerpts(ours: ours, theirs: theirs, base: base) else {
      return ": ours \(words(ours)), theirs \(words(theirs)), base \(words(base))"
    }
    func part(_ value: Value?) -> String { value.map { excerpts.words($0) ?? $0.words } ?? "nothing" }
    return ", from offset \(excerpts.start): ours \(part(ours)), theirs \(part(theirs)), base \(part(base))"
  }

  private func words(_ value: Value?) -> String {
    guard let value else { return "nothing" }
    return firstDifference.flatMap { value.elementWords(from: $0) } ?? value.words
  }

  /// The innermost parts at the first path in the values where ours and theirs differ; nil if the values have no such parts.
  private var firstDifferentPart: MergeConflict? {
    var part = MergeConflict(path: ValuePath(), base: base, ours: ours, theirs: theirs)
    while let step = part.ours?.firstStep(to: part.theirs) {
      part = MergeConflict(
        path: part.path.appending(step), base: part.base?.part(at: [step]), ours: part.ours?.part(at: [step]),
        theirs: part.theirs?.part(at: [step]))
    }
    return part.path.isEmpty ? nil : part
  }

  /// The index of the first element that differs between our list and theirs, or nil if either is not a list.
  private var firstDifference: Int? {
    guard let mine = ours?.listElements, let others = theirs?.listElements else { return nil }
    return mine.firstIndex(differingFrom: others) ?? min(mine.count, others.count)
  }
}

extension Value {
  /// Returns the step to the first part that differs in another value of the same kind; nil if there is none.
  fileprivate func firstStep(to other: Value?) -> ValuePath.Step? {
    switch (self, other) {
    case (.object(let object), .object(let other)?) where object.type == other.type:
      return object.content.firstStep(to: other.content)
    case (.dictionary(let mine), .dictionary(let others)?):
      let key = (mine.keys + others.keys).first { mine[$0] != others[$0] }
      return key?.stringValue.map { .key($0) }
    case (.array(let mine), .array(let others)?):
      return mine.firstIndex(differingFrom: others).map { .index($0) }
    default: return nil
    }
  }

  /// The maximum number of list elements that a message shows.
  private static var shownElements: Int { 3 }

  /// Returns a few elements of a list for a message, beginning at `start`: `[…, 4, 5, 6, …]`. Returns nil if
  /// the value is not a list.
  fileprivate func elementWords(from start: Int) -> String? {
    guard let elements = listElements else { return nil }
    let shown = elements.dropFirst(start).prefix(Self.shownElements)
    let words =
      (start > 0 ? ["…"] : []) + shown.map(\.words) + (shown.endIndex < elements.count ? ["…"] : [])
    return "[\(words.joined(separator: ", "))]"
  }
}

extension [Value] {
  /// Returns the index of the first element that differs from that of another list; nil if one list begins with the other.
  fileprivate func firstIndex(differingFrom other: [Value]) -> Int? {
    zip(self, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
  }
}
