/// An adapter that sends only the given columns of each record, in their order. A record is an outermost dictionary. A record without a
/// column has no key for it.
///
///     {"id": 1, "name": "Ada", "address": {"city": "Rome", "zip": "00100"}}
///     columns address.city, name    ▸    {"address": {"city": "Rome"}, "name": "Ada"}
///
/// A column such as `address.city` is an entry of a nested dictionary, unless the record has a key with this name.
final class ChosenColumns: DictionaryBufferingSink {
  private let columns: [[UInt8]]
  private var hasRecord = false
  /// The indices of the columns that no record has had.
  private var missing: Set<Int>

  /// The maximum number of records and of names that are noted for the message about a column that no record has.
  private static let mostNoted = 1000
  private var names: Set<[UInt8]> = []
  private var notedRecords = 0
  /// The number of dictionaries around the innermost entry that a column may name.
  private let levels: Int

  init(_ columns: [String], to next: any ValueSink) {
    self.columns = columns.map { Array($0.utf8) }
    missing = Set(columns.indices)
    levels = columns.map { $0.utf8.count { $0 == UInt8(ascii: ".") } }.max() ?? 0
    super.init(to: next)
  }

  override func sendDictionary() throws(FerryError) {
    hasRecord = true
    try send(chosenEntries())
    guard !missing.isEmpty, notedRecords < Self.mostNoted else { return }
    notedRecords += 1
    noteNames(of: .start, under: [], levels: levels)
  }

  /// Throws if no record has a column, which is probably a mistake in its name.
  override func finish() throws(FerryError) {
    if hasRecord, let index = missing.min() {
      let names = names.map { String(decoding: $0, as: UTF8.self) }.sorted()
      throw FerryError(.csv(.noColumn(String(decoding: columns[index], as: UTF8.self), among: names)))
    }
    try super.finish()
  }

  // MARK: Choosing

  /// An entry on the tape: the tape indices of its key and its value.
  private struct Found {
    let keyIndex, value: TapeIndex
  }

  /// An entry to send.
  private struct Entry {
    let keyIndex: TapeIndex
    var part: Part
  }

  private enum Part {
    case value(TapeIndex)
    /// Some entries of a nested dictionary.
    case entries([Entry])
  }

  /// Returns the entries of the buffered dictionary that are sent, and notes which columns it has.
  private func chosenEntries() -> [Entry] {
    var entries: [Entry] = []
    for (index, column) in columns.enumerated() {
      let path = found(column, column.indices, in: .start)
      if !path.isEmpty { missing.remove(index) }
      Self.add(path[...], to: &entries)
    }
    return entries
  }

  /// Returns the entries that lead to a column in a dictionary, the outermost first. Returns none if the dictionary does not have it.
  private func found(_ column: [UInt8], _ range: Range<Int>, in dictionary: TapeIndex) -> [Found] {
    if let entry = entry(column, range, in: dictionary) { return [entry] }
    for dot in range where column[dot] == UInt8(ascii: ".") {
      guard let outer = entry(column, range.lowerBound..<dot, in: dictionary),
        tape.kind(at: outer.value) == .beginDictionary
      else { continue }
      let inner = found(column, dot + 1..<range.upperBound, in: outer.value)
      if !inner.isEmpty { return [outer] + inner }
    }
    return []
  }

  /// Returns the entry of a dictionary whose key is a part of a text: the last one, which counts if there are several.
  private func entry(_ text: [UInt8], _ range: Range<Int>, in dictionary: TapeIndex) -> Found? {
    let (tape, name) = (tape, text.span.extracting(range))
    var found: Found?
    var key = dictionary + 1
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      if tape.kind(at: key) == .key, tape.text(at: key).utf8.equals(name) {
        found = Found(keyIndex: key, value: value)
      }
      key = tape.next(after: value)
    }
    return found
  }

  /// Adds the last of some entries, and those around it. A whole dictionary has all of its entries.
  private static func add(_ path: ArraySlice<Found>, to entries: inout [Entry]) {
    guard let first = path.first else { return }
    let index = entries.firstIndex { $0.keyIndex == first.keyIndex }
    let part: Part
    if path.count == 1 {
      part = .value(first.value)
    } else {
      var inner: [Entry] = []
      switch index.map({ entries[$0].part }) {
      case .value?: return
      case .entries(let known)?: inner = known
      case nil: break
      }
      add(path.dropFirst(), to: &inner)
      part = .entries(inner)
    }
    if let index {
      entries[index].part = part
    } else {
      entries.append(Entry(keyIndex: first.keyIndex, part: part))
    }
  }

  /// Notes the names of a dictionary's entries, and of the entries of dictionaries in it as they are given: `address.city`.
  private func noteNames(of dictionary: TapeIndex, under prefix: [UInt8], levels: Int) {
    let tape = tape
    var key = dictionary + 1
    while tape.kind(at: key) != .endDictionary, names.count < Self.mostNoted {
      let value = tape.next(after: key)
      if tape.kind(at: key) == .key {
        let name = prefix + [UInt8](copying: tape.text(at: key).utf8)
        names.insert(name)
        if levels > 0, tape.kind(at: value) == .beginDictionary {
          noteNames(of: value, under: name + [UInt8(ascii: ".")], levels: levels - 1)
        }
      }
      key = tape.next(after: value)
    }
  }

  // MARK: Sending

  private func send(_ entries: [Entry]) throws(FerryError) {
    try next.beginDictionary(count: entries.count)
    for entry in entries {
      try tape.replay(valueAt: entry.keyIndex, into: next)
      switch entry.part {
      case .value(let value): try tape.replay(valueAt: value, into: next)
      case .entries(let inner): try send(inner)
      }
    }
    try next.endDictionary()
  }
}
