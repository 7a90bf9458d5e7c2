/// The codec of `NSAttributedString`: its string, and its runs with their attributes.
///
///     NSString "plain"                                       {"string": "plain"}
///     NSString, NSAttributes a dictionary                    {"string": "red", "attributes": {"NSColor": …}}
///     NSString, NSAttributes [bold, plain],                  {"string": "a b c", "runs": [
///       NSAttributeInfo 01 00 03 01 01 00                       {"length": 1, "attributes": bold},
///                                                               {"length": 3, "attributes": plain},
///                                                               {"length": 1, "attributes": bold}]}
///
/// `NSAttributeInfo` contains two packed numbers for each run: its length in UTF-16 code units, and the index
/// of its attributes. Equal attributes are stored once, unless the file stores them several times.
struct AttributedStringCodec: ClassCodec {
  static let entries = [
    ClassCatalogEntry(ObjectClass("NSAttributedString"), AttributedStringCodec()),
    ClassCatalogEntry(
      ObjectClass("NSMutableAttributedString", "NSAttributedString"), AttributedStringCodec()),
    ClassCatalogEntry(
      ObjectClass("NSTextStorage", "NSMutableAttributedString", "NSAttributedString"),
      AttributedStringCodec(hasDelegate: true)),
  ]

  /// True if the class also archives a delegate, which may be nil.
  var hasDelegate = false
  private static let delegate = ArchivedField.object("delegate", "NSDelegate", .orNil)

  let partNames = ["string", "attributes", "runs", "delegate"]
  private static let runNames = ["length", "attributes"]

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let string = try object.take("NSString") else { return nil }
    var text = [DecodedForm.Part("string", .archived(node: string))]
    if hasDelegate {
      switch try Self.delegate.part(of: &object) {
      case .found(let delegate): text.append(.init("delegate", delegate))
      case .leftOut: break
      case .mismatch: return nil
      }
    }
    if let info = try object.bytes("NSAttributeInfo") {
      guard let runs = try Self.runs(info, &object) else { return nil }
      return .record(text + [.init("runs", .list(runs))])
    }
    guard let attributes = try object.take("NSAttributes") else { return .record(text) }
    return .record(text + [.init("attributes", .archived(node: attributes))])
  }

  private static func runs(_ info: [UInt8], _ object: inout ArchivedObject) throws(FerryError)
    -> [DecodedForm]?
  {
    guard let numbers = PackedNumbers.numbers(info), numbers.count % 2 == 0,
      let attributes = try object.elements("NSAttributes")
    else { return nil }
    var runs: [DecodedForm] = []
    // Attributes must be indexed in the order of first use, and all must be used. Otherwise encoding would
    // not restore the same keys.
    var usedCount: Int128 = 0
    for index in stride(from: 0, to: numbers.count, by: 2) {
      let number = numbers[index + 1]
      guard number <= usedCount, number < attributes.count else { return nil }
      usedCount = max(usedCount, number + 1)
      runs.append(
        .record([
          .init("length", .scalar(.integer(numbers[index]))),
          .init("attributes", .archived(node: attributes[Int(number)])),
        ]))
    }
    return usedCount == attributes.count ? runs : nil
  }

  /// Returns a flaw if the lengths of the runs do not add up to the length of the string.
  func flaw(of value: Value) -> String? {
    guard let length = value["string"]?.utf16Length else { return "its string is a string" }
    if let attributes = value["attributes"], !attributes.isDictionary { return "attributes are a dictionary" }
    guard let runs = value["runs"]?.arrayElements else { return nil }
    var sum: Int128 = 0
    for run in runs {
      guard let length = run["length"]?.wholeNumber, length > 0, length <= Int128(Int64.max) else {
        return "a run has a length of 1 or more"
      }
      guard run["attributes"]?.isDictionary == true else { return "attributes are a dictionary" }
      sum += length
    }
    return sum == Int128(length) ? nil : "the runs are \(sum) UTF-16 units long, and the text \(length)"
  }

  /// Truncates the runs to the length of a changed string, or extends the last run to its end.
  func mended(_ value: Value, since old: Value) -> Value? {
    guard old["runs"] == value["runs"], let length = value["string"]?.utf16Length,
      let runs = value["runs"]?.arrayElements,
      case .dictionary(var parts) = value
    else { return nil }
    var (rest, kept): (Int128, [Value]) = (Int128(length), [])
    for run in runs where rest > 0 {
      guard let length = run["length"]?.wholeNumber, length >= 0 else { return nil }
      guard length > 0, let cut = run.withLength(min(length, rest)) else { continue }
      kept.append(cut)
      rest -= min(length, rest)
    }
    if rest > 0, let last = kept.popLast(), let length = last["length"]?.wholeNumber,
      let extended = last.withLength(length + rest)
    {
      kept.append(extended)
    }
    parts["runs"] = kept.isEmpty ? nil : .array(kept)
    return .dictionary(parts)
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    try encode(decodedForm, like: nil)
  }

  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]? {
    try encode(decodedForm, like: RunLayout(of: object))
  }

  private func encode(_ decodedForm: GivenForm, like layout: RunLayout?) throws(FerryError) -> [ArchivedKey]?
  {
    guard let parts = try decodedForm.parts(named: partNames), let string = parts["string"] else {
      return nil
    }
    var keys = [ArchivedKey("NSString", .value(at: string.tapeIndex))]
    switch (parts["attributes"], parts["runs"]) {
    case (nil, nil): break
    case (let attributes?, nil): keys.append(ArchivedKey("NSAttributes", .value(at: attributes.tapeIndex)))
    case (nil, let runs?):
      guard let runs = runs.elements, let more = try Self.keys(for: runs, like: layout) else { return nil }
      keys += more
    default: return nil
    }
    guard hasDelegate else { return parts["delegate"] == nil ? keys : nil }
    guard case .found(let delegate) = try Self.delegate.content(for: parts["delegate"]) else { return nil }
    return keys + [ArchivedKey(Self.delegate.key, delegate)]
  }

  private static func keys(for runs: [GivenForm], like layout: RunLayout?) throws(FerryError)
    -> [ArchivedKey]?
  {
    var info: [Int128] = []
    var attributes = RunAttributes(like: layout)
    for (number, run) in runs.enumerated() {
      guard let parts = try run.parts(named: runNames), let length = parts["length"]?.integer,
        let given = parts["attributes"]
      else { return nil }
      info += [length, Int128(attributes.index(of: given, ofRun: number))]
    }
    guard let bytes = PackedNumbers.bytes(info) else { return nil }
    let list = attributes.all.map(\.tapeIndex)
    return [
      ArchivedKey("NSAttributes", .list(layout?.type ?? .mutableArray, list)),
      ArchivedKey("NSAttributeInfo", .made(PackedNumbers.data(bytes))),
    ]
  }
}

/// The layout of the runs of an archived attributed string.
private struct RunLayout {
  /// The class of the list of attributes.
  let type: ObjectClass
  private let object: ArchivedObject
  private let attributes: [NodeID]
  /// For each run, the index of its attributes.
  private let indices: [Int]

  /// Finds the layout. Fails if the object has no runs.
  init?(of object: ArchivedObject) throws(FerryError) {
    var keys = object
    guard let node = try object.node("NSAttributes"), let type = try object.type(resolving: node),
      let info = try keys.bytes("NSAttributeInfo"), let numbers = PackedNumbers.numbers(info),
      let attributes = try keys.elements("NSAttributes")
    else { return nil }
    (self.type, self.object, self.attributes) = (type, object, attributes)
    indices = stride(from: 1, to: numbers.count, by: 2).map { Int(clamping: numbers[$0]) }
  }

  /// Returns the index of the attributes of a run, or nil if there is no such run.
  func index(ofRun number: Int) -> Int? { indices.indices.contains(number) ? indices[number] : nil }

  /// Returns true if the attributes at two indices are equal.
  func areEqual(_ first: Int, _ second: Int) -> Bool {
    guard attributes.indices.contains(first), attributes.indices.contains(second),
      let one = try? object.value(of: attributes[first]),
      let other = try? object.value(of: attributes[second])
    else { return false }
    return one == other
  }
}

/// The attributes of runs. Equal ones are stored once, unless an existing object stores them several times.
private struct RunAttributes {
  private(set) var all: [GivenForm] = []
  private let layout: RunLayout?
  /// The indices of attributes by the identity of their object, and of other attributes by hash.
  private var shared: [Int: Int] = [:]
  private var known: [Int: [Int]] = [:]
  /// The indices by the index in the existing object, and the reverse.
  private var new: [Int: Int] = [:]
  private var old: [Int: Int] = [:]

  init(like layout: RunLayout?) { self.layout = layout }

  /// Returns the index of the attributes of a run.
  mutating func index(of given: GivenForm, ofRun number: Int) -> Int {
    if let identity = given.identity {
      if let index = shared[identity] { return index }
      shared[identity] = all.count
      return append(given, from: nil)
    }
    let oldIndex = layout?.index(ofRun: number)
    if let index = oldIndex.flatMap({ new[$0] }), all[index].equals(given) { return index }
    let digest = given.digest
    guard let equal = known[digest]?.first(where: { all[$0].equals(given) }) else {
      known[digest, default: []].append(all.count)
      return append(given, from: oldIndex)
    }
    guard let oldIndex, let other = old[equal], other != oldIndex, layout?.areEqual(other, oldIndex) == true
    else { return equal }
    return append(given, from: oldIndex)
  }

  private mutating func append(_ given: GivenForm, from oldIndex: Int?) -> Int {
    if let oldIndex { (new[oldIndex], old[all.count]) = (all.count, oldIndex) }
    all.append(given)
    return all.count - 1
  }
}

extension Value {
  /// The length of a string in UTF-16 code units, or nil for other values.
  fileprivate var utf16Length: Int? {
    switch scalar {
    case .string(let text): text.utf16.count
    case .unpairedString(let units): units.count
    default: nil
    }
  }

  /// True if the value is a dictionary, or a back reference.
  fileprivate var isDictionary: Bool {
    switch scalar {
    case .dictionary, .reference: true
    default: false
    }
  }

  /// Returns the run with another length, or nil if it has none.
  fileprivate func withLength(_ length: Int128) -> Value? {
    replacing([.key("length")], by: .integer(length))
  }
}
