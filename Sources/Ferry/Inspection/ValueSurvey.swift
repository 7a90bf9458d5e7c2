/// A sink that counts the values of a stream: of JSON, XML property lists, and every other format that is
/// read as events. It stores no values; its memory grows with the number of names and the depth.
final class ValueSurvey: ValueSink {
  private var values = Inspection.Values()
  private var names = NameTable()
  private var keys: [Int: KeyCount] = [:]
  private var classes: [ObjectClass: Int] = [:]
  private var classCounts: [ClassCount] = []
  private(set) var blobs = Inspection.Blobs()
  private(set) var warnings = Inspection.Warnings()
  private var levels: [Level] = []
  private var tracker = PathTracker()
  private var depth = 0
  /// The nesting depth inside a key that is not a string. Values inside such a key are not counted.
  private var keyDepth = 0
  /// True if the next dictionary has the entries of an archive. It is not counted as a value itself.
  private var areEntriesNext = false
  /// The inspector of nested files, or nil if they are not inspected.
  private let nested: NestedInspection?

  /// The path of the next value.
  var path: ValuePath { tracker.path }

  init(nested: NestedInspection? = nil) { self.nested = nested }

  /// Statistics of the objects of a class.
  private struct ClassCount {
    let type: ObjectClass
    var count = 0
    var keys: [Int: KeyCount] = [:]
  }

  /// An open collection or object.
  private struct Level {
    var kind: ValueKind
    /// The index of the class whose keys the dictionary contains.
    var ofClass: Int?
    /// The number of the current key's name, or nil if the name table is full.
    var key: Int?
    /// The keys of this dictionary so far, by number.
    var seenKeys = KeySet()
  }

  /// Returns the counts after the last event.
  func result() -> Inspection.Values {
    var values = values
    values.keys = keys.keys(names)
    values.hasAllKeys = names.isComplete
    values.classes = classCounts.sorted { $0.count > $1.count }.map { found in
      Inspection.Class(
        name: found.type.name, superclasses: found.type.superclasses, hints: found.type.hints,
        count: found.count, keys: found.keys.keys(names))
    }
    return values
  }

  // MARK: Counting

  private func add(_ kind: ValueKind, className: String? = nil) {
    // The content of an object is counted with the object.
    guard keyDepth == 0, levels.last?.kind != .object else { return }
    values.kinds[kind] += 1
    guard let last = levels.indices.last else {
      if values.top == nil { values.top = kind }
      return
    }
    switch levels[last].kind {
    case .dictionary:
      guard let key = levels[last].key else { return }
      if let type = levels[last].ofClass {
        classCounts[type].keys[key]?.add(kind, className)
      } else {
        keys[key]?.add(kind, className)
      }
    case .array, .set:
      if depth == 1 { values.records = (values.records ?? 0) + 1 }
    default: break
    }
  }

  private func scalar(_ kind: ValueKind) {
    add(kind)
    if keyDepth == 0 { tracker.finishValue() }
  }

  private func begin(_ kind: ValueKind) {
    guard keyDepth == 0 else { return }
    // The dictionary inside an object contains the keys of the object's class.
    var ofClass: Int?
    if let last = levels.last, last.kind == .object { ofClass = last.ofClass }
    if areEntriesNext { areEntriesNext = false } else { add(kind) }
    if depth == 0, kind != .dictionary { values.records = 0 }
    levels.append(Level(kind: kind, ofClass: ofClass))
    depth += 1
    values.depth = max(values.depth, depth)
    if kind == .dictionary { tracker.beginDictionary() } else { tracker.beginList() }
  }

  private func end() {
    guard keyDepth == 0, levels.popLast() != nil else { return }
    depth -= 1
    tracker.end()
  }

  private func count(_ number: Int?) {
    guard let last = levels.indices.last else { return }
    levels[last].key = number
    guard let number else {
      if warnings.counts[.tooManyNames] == 0 { warnings.add(.tooManyNames) }
      return
    }
    guard levels[last].seenKeys.insert(number) else {
      let name = MessageText.quoted(names.names[number])
      warnings.add(.duplicateKey, "the key \(name) occurs twice", path: tracker.path)
      return
    }
    if let type = levels[last].ofClass {
      classCounts[type].keys[number, default: KeyCount()].count += 1
    } else {
      keys[number, default: KeyCount()].count += 1
    }
  }

  // MARK: Events

  func null() { scalar(.null) }
  func boolean(_ value: Bool) { scalar(.boolean) }
  func integer(_ value: Int128) { scalar(.integer) }
  func real(_ value: Double) { scalar(.real) }
  func single(_ value: Float) { scalar(.single) }
  func number(_ text: BorrowedText) { scalar(.decimal) }
  func string(_ text: BorrowedText) { scalar(.string) }
  func date(_ secondsSince2001: Double) { scalar(.date) }
  func uid(_ number: UInt64) { scalar(.uid) }
  func reference(_ identity: Int) { scalar(.reference) }

  func data(_ bytes: Span<UInt8>) {
    if let kind = FileKind(of: bytes) {
      blobs.add(
        kind, byteCount: bytes.count, at: InputLocation(), path: tracker.path,
        blobs.listsNext ? inspection(of: bytes, kind) : nil)
    }
    scalar(.data)
  }

  private func inspection(of bytes: Span<UInt8>, _ kind: FileKind) -> Inspection? {
    guard let nested else { return nil }
    do throws(FerryError) {
      return try nested.inspection(of: bytes, kind)
    } catch {
      warnings.add(.brokenNestedFile, "\(kind.summary) in data: \(error.reason)", path: tracker.path)
      return nil
    }
  }

  func beginArray(count: Int?) { begin(.array) }
  func endArray() { end() }
  func beginSet(count: Int?) { begin(.set) }
  func endSet() { end() }
  func beginDictionary(count: Int?) { begin(.dictionary) }
  func endDictionary() { end() }

  func key(_ text: BorrowedText) {
    guard keyDepth == 0 else { return }
    tracker.key(text.utf8)
    count(names.number(of: text))
  }

  func beginKey() { keyDepth += 1 }

  func endKey() {
    keyDepth -= 1
    if let last = levels.indices.last { levels[last].key = nil }
  }

  func beginObject(_ type: ObjectClass, identity: Int?) {
    guard keyDepth == 0 else { return }
    add(.object, className: type.name)
    if classes[type] == nil, classCounts.count < 1 << 14 {
      classes[type] = classCounts.count
      classCounts.append(ClassCount(type: type))
    }
    let index = classes[type]
    if let index { classCounts[index].count += 1 }
    levels.append(Level(kind: .object, ofClass: index))
  }

  func endObject() {
    guard keyDepth == 0 else { return }
    _ = levels.popLast()
  }

  func finish() {}
}

extension ValueSurvey: ArchiveEntrySink {
  var takesArchiveEntries: Bool { keyDepth == 0 }
  func beginArchiveEntries(isInData: Bool) {
    tracker.returnToLastValue()
    areEntriesNext = true
  }
  func endArchiveEntries() {}
}

extension KeyCount {
  fileprivate mutating func add(_ kind: ValueKind, _ className: String?) {
    if let className { classes.add(className) } else { kinds[kind] += 1 }
  }
}

extension ObjectClass {
  /// The superclasses: the chain without the class itself.
  var superclasses: [String] { chain.first.equals(name) ? Array(chain.dropFirst()) : chain }
}

/// The set of the keys of one dictionary, by number. Most dictionaries have few keys, for which a list is the
/// fastest set.
private struct KeySet {
  private var few: [Int] = []
  private var many: Set<Int> = []

  /// Adds a number. Returns false if it is already in the set.
  mutating func insert(_ number: Int) -> Bool {
    guard many.isEmpty else { return many.insert(number).inserted }
    guard !few.contains(number) else { return false }
    few.append(number)
    if few.count > 16 { many = Set(few) }
    return true
  }
}
