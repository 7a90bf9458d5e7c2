/// The values of a file in flat columns. Each collection comes before its parts, so that a row is found without pointers:
///
///     {"a": [1, 2], "b": "x"}
///
///     row     0   1   2   3   4
///     kinds   o   a   i   i   s
///     keys    0   1   0   0   2      names: a, b
///     values  2   2   0   1   2      texts: 1, 2, x
///
/// The value of a scalar is the index of its text, the value of a collection is the number of its parts, and the value of a
/// reference is the identity of an object. Properties of few values are in tables of their own.
struct PageNodes {
  /// The letter of each row's kind.
  private(set) var kinds: [UInt8] = []
  /// For each row, the number of its key's name plus one; 0 for elements and the root. A negative number is that of a key
  /// that no path can name, or that is cut.
  private(set) var keys: [Int] = []
  private(set) var values: [Int] = []
  private(set) var names = PageTexts()
  private(set) var texts = PageTexts()
  private(set) var classes: [ObjectClass] = []
  private var classNumbers: [ObjectClass: Int] = [:]
  private(set) var objects: [Object] = []
  private(set) var data: [DataValue] = []
  /// The sizes in bytes of texts that are cut.
  private(set) var cut: [(node: Int, byteCount: Int)] = []
  /// The numbers of parts that are left out of collections.
  private(set) var hidden: [(node: Int, count: Int)] = []
  /// The paths before those of the values in a root; nil if these have no paths. Other roots have an empty path.
  private(set) var bases: [(node: Int, path: String?)] = []

  /// The class and the identity of the object whose content is a row.
  struct Object {
    let node: Int
    /// The index of the class, or nil for an object without a class.
    let type: Int?
    let identity: Int?
  }

  /// Data, the content of data that was opened, or a text that names a file of a package.
  struct DataValue {
    let node: Int
    let byteCount: Int
    /// The kind of file in the data, in words.
    let summary: String
    /// The image in the data, for a page that shows it.
    var image: Image?
  }

  struct Image {
    let type: String
    let base64: String
  }

  var count: Int { kinds.count }

  /// Adds a row, and returns its index.
  mutating func add(_ kind: ValueKind, key: Int) -> Int {
    kinds.append(kind.letter)
    keys.append(key)
    values.append(0)
    return count - 1
  }

  /// Sets the text of a scalar, of which a part may be cut off.
  mutating func setText(_ text: String, of node: Int, cutFrom byteCount: Int? = nil) {
    values[node] = texts.number(of: text)
    if let byteCount { cut.append((node, byteCount)) }
  }

  /// Sets the identity of the object to which a reference refers.
  mutating func setIdentity(_ identity: Int, of node: Int) { values[node] = identity }

  /// Returns the number in `keys` for a key, which is cut if it is longer than a limit.
  mutating func name(_ key: borrowing BorrowedText, limit: Int) -> Int {
    key.utf8.count > limit ? description(key, limit: limit) : names.number(of: String(key)) + 1
  }

  /// Returns the number in `keys` for the description of a key that no path can name.
  mutating func description(_ key: borrowing BorrowedText, limit: Int) -> Int {
    -names.number(of: key.cut(toBytes: limit)) - 1
  }

  mutating func addObject(_ type: ObjectClass, identity: Int?, at node: Int) {
    objects.append(Object(node: node, type: type == .none ? nil : number(of: type), identity: identity))
  }

  private mutating func number(of type: ObjectClass) -> Int {
    if let known = classNumbers[type] { return known }
    classNumbers[type] = classes.count
    classes.append(type)
    return classes.count - 1
  }

  mutating func add(_ data: DataValue) { self.data.append(data) }

  /// Ends a collection, of which some parts are shown.
  mutating func end(_ node: Int, shown: Int, hidden count: Int) {
    values[node] = shown
    if count > 0 { hidden.append((node, count)) }
  }

  /// Adds the rows of other values as another root.
  ///
  /// - Parameter base: The path before those of the values; nil if they have no paths.
  mutating func append(_ others: PageNodes, base: String?) {
    let first = count
    bases.append((first, base))
    let names = others.names.all.map { self.names.number(of: $0) }
    let texts = others.texts.all.map { self.texts.number(of: $0) }
    let types = others.classes.map { number(of: $0) }
    kinds += others.kinds
    keys += others.keys.map { $0 == 0 ? 0 : $0.signum() * (names[abs($0) - 1] + 1) }
    let kindsWithoutTexts = [ValueKind.array, .set, .dictionary, .reference].map(\.letter)
    values += zip(others.kinds, others.values).map { kindsWithoutTexts.contains($0) ? $1 : texts[$1] }
    objects += others.objects.map { object in
      Object(node: first + object.node, type: object.type.map { types[$0] }, identity: object.identity)
    }
    data += others.data.map { data in
      DataValue(
        node: first + data.node, byteCount: data.byteCount, summary: data.summary, image: data.image)
    }
    cut += others.cut.map { (first + $0.node, $0.byteCount) }
    hidden += others.hidden.map { (first + $0.node, $0.count) }
  }
}

/// A table of texts, each stored once.
struct PageTexts {
  private(set) var all: [String] = []
  private var numbers: [ExactString: Int] = [:]

  /// Returns the number of a text, or nil if the table does not have it.
  func existingNumber(of text: String) -> Int? { numbers[text] }

  /// Returns the number of a text, which is added if the table does not have it.
  mutating func number(of text: String) -> Int {
    if let known = numbers[text] { return known }
    numbers[text] = all.count
    all.append(text)
    return all.count - 1
  }
}

extension ValueKind {
  /// The letter of the kind in a page.
  var letter: UInt8 {
    switch self {
    case .null: UInt8(ascii: "n")
    case .boolean: UInt8(ascii: "b")
    case .integer: UInt8(ascii: "i")
    case .real: UInt8(ascii: "r")
    case .single: UInt8(ascii: "m")
    case .decimal: UInt8(ascii: "e")
    case .string: UInt8(ascii: "s")
    case .data: UInt8(ascii: "d")
    case .date: UInt8(ascii: "t")
    case .uid: UInt8(ascii: "u")
    case .array: UInt8(ascii: "a")
    case .set: UInt8(ascii: "z")
    case .dictionary, .object: UInt8(ascii: "o")
    case .reference: UInt8(ascii: "l")
    }
  }
}
