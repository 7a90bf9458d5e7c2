// Edits of a text without brackets around its outermost list, such as the lines of JSON Lines and the documents of YAML.

extension TextEdits {
  /// Collects the edits of the outermost list.
  mutating func collect(
    _ records: any RecordRanges, from old: [Child], to new: [Child], in collection: OriginalCollection
  ) throws(FerryError) {
    /// The index of the last old record that is still in the text.
    var anchor: Int?
    for step in steps(from: old, to: new) {
      switch step {
      case .keep(let from, _): anchor = from
      case .replace(let from, let to):
        try replaceRecord(from, of: old, by: new[to], in: collection)
        anchor = from
      case .remove(let range):
        for removed in records.ranges(removing: ClosedRange(range)) {
          reportMarkup(in: removed, missingIn: [])
          add(ByteEdit(range: removed, text: []))
        }
      case .insert(let range):
        for index in range {
          try show(new[index].value)
          let text = try syntax.record(new[index].value, in: shown)
          let insertion = records.insertion(of: text, after: anchor)
          addInsertion(ByteEdit(range: insertion.offset..<insertion.offset, text: insertion.text))
        }
      }
    }
  }

  private mutating func replaceRecord(
    _ index: Int, of old: [Child], by new: Child, in collection: OriginalCollection
  ) throws(FerryError) {
    let range = ranges[old[index].value.index]
    guard range.isEmpty, try list.kind(of: new.value).isCollection else {
      return try replaceChild(index, of: old, by: new, in: collection)
    }
    // A document of YAML that is empty gets lines of its own.
    let offset = endOfLineMarkup(after: range.lowerBound).end
    try show(new.value)
    let text = try syntax.record(new.value, in: shown)
    addInsertion(ByteEdit(range: offset..<offset, text: lineEnd + text))
  }

  /// Replaces all records by those of a new value.
  mutating func replaceAll(_ records: any RecordRanges) throws(FerryError) {
    var values = try children(of: list.root, in: list).map(\.value)
    if case .array = try list.kind(of: list.root) {
      if records.areReadAlone, values.count < 2 { values = [list.root] }
    } else {
      guard records.areReadAlone else {
        throw FerryError(.path(.cannotPut("this value", "\(format.description.noun) is a list of values")))
      }
      values = [list.root]
    }
    var texts: [[UInt8]] = []
    for value in values { texts.append(try syntax.record(value, in: list)) }
    let (range, text) = (records.start..<source.count, records.text(of: texts))
    reportMarkup(in: range, missingIn: text)
    add(ByteEdit(range: range, text: text))
  }
}
