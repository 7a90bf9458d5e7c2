/// A sink that finds values, keys and objects in the events of an input, with their paths.
final class SearchingSink: ValueSink {
  private let search: ValueSearch
  private let send: (ValueSearch.Match) throws(FerryError) -> Void
  private var path = PathTracker()
  /// The size of the events so far in bytes, and that of the paths of matches.
  private var (eventBytes, pathBytes) = (0, 0)
  /// The number of open collections in a key that is not a string, which has no path; 0 outside of such a key.
  private var keyDepth = 0
  /// The class of the object whose content is next.
  private var type: ObjectClass?
  /// The identities of the objects so far that have several references, in a search for a class.
  private var identities: Set<Int> = []
  /// True if the next dictionary has the entries of an archive. It is not found as a value itself.
  private var areEntriesNext = false
  /// The nesting depth of the dictionary that is a document in the typed form, whose text has tags for types and classes; nil outside of such a
  /// dictionary, and before its mark.
  private var depthOfTypedText: Int?

  init(_ search: ValueSearch, _ report: @escaping (ValueSearch.Match) throws(FerryError) -> Void) {
    (self.search, send) = (search, report)
  }

  /// The path of the next value.
  var currentPath: ValuePath { path.path }

  /// Sends the match of a value or a key at the current path. Throws if the paths of all matches are much larger than the values.
  private func report(
    _ kind: ValueKind, isKey: Bool = false, text: String? = nil, className: String? = nil
  ) throws(FerryError) {
    let most = search.mostPathBytes
    pathBytes += min(path.pathBytes, most ?? .max)
    guard pathBytes <= search.reading.budget.allowance(forInputBytes: eventBytes) else {
      throw search.reading.budget.overAmplification
    }
    let (first, omitted, last) = most.map(path.ends(ofPathUpTo:)) ?? (path.path, 0, ValuePath())
    try send(
      ValueSearch.Match(
        path: first, omittedSteps: omitted, pathEnd: last, isKey: isKey, kind: kind, text: text,
        className: className))
  }

  /// Adds the size of a value or a key.
  private func weigh(_ bytes: Int) { eventBytes += Budget.valueCost + bytes }

  // MARK: Scalars

  func null() throws(FerryError) { try scalar(.null) { .null } }
  func boolean(_ value: Bool) throws(FerryError) { try scalar(.boolean) { .boolean(value) } }
  func integer(_ value: Int128) throws(FerryError) { try scalar(.integer) { .integer(value) } }
  func real(_ value: Double) throws(FerryError) { try scalar(.real) { .real(value) } }
  func single(_ value: Float) throws(FerryError) { try scalar(.single) { .single(value) } }
  func number(_ text: BorrowedText) throws(FerryError) {
    weigh(text.utf8.count)
    let number = String(text)
    try scalar(.decimal) { .number(number) }
  }
  func string(_ text: BorrowedText) throws(FerryError) {
    weigh(text.utf8.count)
    let string = String(escapingSurrogatesOf: text)
    guard depthOfTypedText != nil, keyDepth == 0 else { return try scalar(.string) { .string(string) } }
    switch path.key {
    case "$class": try findObject(ofClass: string)
    case "$date": return try scalar(.date) { .string(string) }
    case "$data":
      guard search.text == nil || search.dataText?(string) == true else { return finishValue() }
      return try scalar(.data) { .string(string) }
    default: break
    }
    try scalar(.string) { .string(string) }
  }
  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    defer { finishValue() }
    weigh(bytes.count)
    guard keyDepth == 0 else { return }
    try findObject()
    try find(bytes)
  }

  /// Finds data by its kind, and by its text if there is a test for it.
  private func find(_ bytes: Span<UInt8>) throws(FerryError) {
    guard search.findsValues, search.kinds?.contains(.data) != false, search.className == nil, isForKey else {
      return
    }
    var text: String?
    if search.text != nil {
      guard let test = search.dataText else { return }
      let base64 = String(decoding: Base64.encode(bytes), as: UTF8.self)
      guard test(base64) else { return }
      text = base64
    }
    try report(.data, text: text)
  }
  func date(_ secondsSince2001: Double) throws(FerryError) {
    try scalar(.date) { .date(secondsSince2001: secondsSince2001) }
  }
  func uid(_ number: UInt64) throws(FerryError) { try scalar(.uid) { .integer(Int128(number)) } }
  func reference(_ identity: Int) { finishValue() }

  private func scalar(_ kind: ValueKind, _ value: () -> Value) throws(FerryError) {
    defer { finishValue() }
    weigh(0)
    let isFound = search.findsValues && search.kinds?.contains(kind) != false
    guard keyDepth == 0 else { return }
    try findObject()
    guard isFound, search.className == nil, isForKey, let text = text(of: value()) else { return }
    try report(kind, text: text)
  }

  /// Returns the text of a scalar if the test accepts it. Without a test, every scalar is found.
  private func text(of value: Value) -> String?? {
    let text = value.plainText
    guard let test = search.text else { return .some(text) }
    guard let text, test(text) else { return nil }
    return .some(text)
  }

  /// True if the next value is for the key that is searched, or if any is.
  private var isForKey: Bool {
    guard let isWanted = search.keyName else { return true }
    return path.key.map(isWanted) ?? false
  }

  private func finishValue() {
    if keyDepth == 0 { path.finishValue() }
  }

  // MARK: Collections

  func beginArray(count: Int?) throws(FerryError) { try beginList(.array) }
  func endArray() { end() }
  func beginSet(count: Int?) throws(FerryError) { try beginList(.set) }
  func endSet() { end() }

  private func beginList(_ kind: ValueKind) throws(FerryError) {
    weigh(0)
    guard keyDepth == 0 else { return keyDepth += 1 }
    try find(collection: kind)
    path.beginList()
  }

  func beginDictionary(count: Int?) throws(FerryError) {
    weigh(0)
    guard keyDepth == 0 else { return keyDepth += 1 }
    if areEntriesNext { areEntriesNext = false } else { try find(collection: .dictionary) }
    path.beginDictionary()
  }
  func endDictionary() { end() }

  private func end() {
    guard keyDepth == 0 else { return keyDepth -= 1 }
    if path.depth == depthOfTypedText { depthOfTypedText = nil }
    path.end()
  }

  /// Finds a collection by its kind or key. It has no text.
  private func find(collection kind: ValueKind) throws(FerryError) {
    // The keys of an object are not a dictionary.
    let object =
      kind == .dictionary && type?.chain.contains { $0.equals("NSDictionary") } == false ? type : nil
    try findObject()
    let isSearched = search.kinds.map { object == nil && $0.contains(kind) } ?? (search.keyName != nil)
    guard search.findsValues, search.text == nil, search.className == nil, isSearched, isForKey else {
      return
    }
    try report(object == nil ? kind : .object, className: object?.name)
  }

  // MARK: Keys and objects

  func key(_ text: BorrowedText) throws(FerryError) {
    weigh(text.utf8.count)
    guard keyDepth == 0 else { return }
    path.key(text.utf8)
    if depthOfTypedText == nil, text.equals("$ferry") { depthOfTypedText = path.depth }
    guard search.findsKeys, search.kinds == nil, search.className == nil, search.keyName == nil else {
      return
    }
    let key = String(escapingSurrogatesOf: text)
    guard search.text?(key) ?? true else { return }
    try report(.string, isKey: true, text: key)
  }

  /// Begins a key without a name. The values for it get the path of their dictionary.
  func beginKey() { keyDepth += 1 }
  func endKey() {
    keyDepth -= 1
    if keyDepth == 0 { path.removeKey() }
  }

  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    weigh(0)
    guard keyDepth == 0, type != .none else { return }
    guard search.className != nil else {
      self.type = type
      return
    }
    // The content of an object may be another object.
    try findObject()
    // An object that represents a scalar is sent again for each reference.
    let isNew = identity.map { identities.insert($0).inserted } ?? true
    if isNew { self.type = type }
  }
  func endObject() {}

  /// Reports the object whose content begins if its class, kind and key match the search.
  private func findObject() throws(FerryError) {
    guard let type else { return }
    self.type = nil
    let isOfClass = search.className.map { isWanted in
      isWanted(type.name) || type.chain.contains(where: isWanted)
    }
    let isOfKind = search.kinds.map { $0.contains(.object) }
    guard search.findsValues, search.text == nil, isOfClass ?? isOfKind ?? false, isOfKind ?? true, isForKey
    else { return }
    try report(.object, className: type.name)
  }

  /// Finds the object of a document in the typed form whose class is the next value.
  private func findObject(ofClass name: String) throws(FerryError) {
    let pathOfClass = path
    path.end()
    path.returnToLastValue()
    defer { path = pathOfClass }
    type = ObjectClass(name)
    try findObject()
  }

  func finish() {}
}

extension SearchingSink: OpenedDataSink {
  /// Finds data that holds another file. The contents of the file follow; they alone are found for a key.
  func willOpenData(_ bytes: Span<UInt8>) throws(FerryError) {
    guard keyDepth == 0, search.kinds?.contains(.data) == true || search.text != nil else { return }
    try find(bytes)
  }
}

extension SearchingSink: ArchiveEntrySink {
  var takesArchiveEntries: Bool { keyDepth == 0 }
  func beginArchiveEntries(isInData: Bool) {
    path.returnToLastValue()
    areEntriesNext = true
  }
  func endArchiveEntries() {}
}
