/// The properties of an archive's property list that its graph does not determine: object numbers and orders
/// of keys that differ from those of a current archiver.
struct ArchiveLayout: Hashable {
  /// The object numbers, in the order of a current archiver, as runs that increase by one. Empty if they are 0, 1, 2 …
  ///
  /// They stay runs until the number of objects is known, because a run in a document may be of any length.
  var numbers: [Range<Int>] = []
  /// The scalars that share an object, or do not share one, contrary to the sharing rule.
  var deviations: [SharingDeviation] = []
  /// The orders of the keys of objects, by the name of their class, and those of class descriptions.
  var keys: [ExactString: [KeyOrders.Entry]] = [:]
  var classKeys: [KeyOrders.Entry] = []
  /// The outermost keys. In a document, the order of its own keys shows which of the two usual orders
  /// applies.
  var outermost: [String] = ArchiveLayout.usualOutermost

  static let usualOutermost = ["$version", "$archiver", "$top", "$objects"]
  /// The order of a hash table, which macOS wrote until about 10.14. In a document with this order,
  /// `$archiver` follows `$top`.
  static let oldOutermost = ["$version", "$objects", "$archiver", "$top"]

  var isEmpty: Bool {
    var usual = ArchiveLayout()
    usual.outermost = outermost == Self.oldOutermost ? outermost : usual.outermost
    return self == usual
  }
}

extension ArchiveLayout {
  /// Sends the properties that differ from the defaults, as entries of the current dictionary.
  func send(to sink: any ValueSink) throws(FerryError) {
    func entry(_ name: StaticString, _ text: String) throws(FerryError) {
      try sink.key(BorrowedText(name.description.utf8.span))
      try sink.string(BorrowedText(text.utf8.span))
    }
    if !numbers.isEmpty { try entry("numbers", Self.text(of: numbers)) }
    if !deviations.isEmpty { try entry("objects", TypedLayout.text(of: deviations)) }
    if ![Self.usualOutermost, Self.oldOutermost].contains(outermost) {
      try entry("outermost", outermost.joined(separator: " "))
    }
    if !classKeys.isEmpty { try entry("classKeys", KeyOrders.text(of: classKeys)) }
    guard !keys.isEmpty else { return }
    try sink.key(BorrowedText("keys".utf8.span))
    try sink.beginDictionary(count: keys.count)
    for (type, orders) in keys.sorted(by: { $0.key.string.utf8.lexicographicallyPrecedes($1.key.string.utf8) }
    ) {
      try TypedNotation.withKey(BorrowedText(type.string.utf8.span)) { key throws(FerryError) in
        try sink.key(key)
      }
      try sink.string(BorrowedText(KeyOrders.text(of: orders).utf8.span))
    }
    try sink.endDictionary()
  }

  /// Reads the layout of an archive.
  ///
  /// - Parameter isOld: True if the keys of the document are in the old order.
  init(_ parts: [ExactString: TapeIndex], isOld: Bool, of tape: EventTape) throws(FerryError) {
    if isOld { outermost = Self.oldOutermost }
    if let runs = try tape.value("numbers", in: parts, Self.numbers) { numbers = runs }
    if let list = try tape.value("objects", in: parts, TypedLayout.deviations) { deviations = list }
    if let names = try tape.value("outermost", in: parts, Self.outermost) { outermost = names }
    classKeys = try tape.value("classKeys", in: parts, KeyOrders.entries) ?? []
    guard let keyOrders = parts["keys"] else { return }
    let orders = try tape.parts(of: keyOrders)
    for name in orders.keys {
      let type = String(try TypedNotation.userKey(BorrowedText(name.string.utf8.span)))
      keys[ExactString(type)] = try tape.value(name.string, in: orders, KeyOrders.entries)
    }
  }

  // MARK: Runs

  /// Returns numbers as runs that increase by one: 0 1 2 7 8 3 becomes 0..<3, 7..<9 and 3..<4.
  static func runs(of numbers: some Sequence<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound == number {
        runs[runs.count - 1] = last.lowerBound..<number + 1
      } else {
        runs.append(number..<number + 1)
      }
    }
    return runs
  }

  /// Returns the object number of each of `count` objects if they are `count` different numbers below `count`. Otherwise, and
  /// if they are 0, 1, 2 …, returns nil.
  ///
  /// After an edit of the document, the recorded numbers may belong to other objects.
  func numbers(ofObjects count: Int) -> [Int]? {
    guard !numbers.isEmpty, numbers.allSatisfy({ $0.upperBound <= count }),
      numbers.reduce(0, { $0 + $1.count }) == count
    else { return nil }
    let noted = Array(numbers.joined())
    var isTaken = [Bool](repeating: false, count: count)
    for number in noted {
      guard !isTaken[number] else { return nil }
      isTaken[number] = true
    }
    return noted
  }

  /// Returns runs as text: `0+3 7+2 3`.
  private static func text(of runs: [Range<Int>]) -> String {
    runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)+\($0.count)" }.joined(separator: " ")
  }

  private static func outermost(_ text: String) throws(FerryError) -> [String] {
    let names = text.split(separator: " ").map(String.init)
    guard Set(names) == Set(usualOutermost), names.count == usualOutermost.count else {
      throw FerryError(.typed(.badLayout("outermost names other keys than an archive has")))
    }
    return names
  }

  private static func numbers(_ text: String) throws(FerryError) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "+", omittingEmptySubsequences: false)
      guard let first = parts.first, let start = Int(first), parts.count <= 2,
        let count = parts.count == 2 ? Int(parts[1]) : 1, (0..<(1 << 32)).contains(start),
        (1..<(1 << 32)).contains(count)
      else {
        throw FerryError(.typed(.badLayout("\(MessageText.quoted(String(word))) is not a run of numbers")))
      }
      runs.append(start..<start + count)
    }
    return runs
  }
}
