/// A binary property list put together object by object, so that objects can be shared, be in themselves, or overlap.
public struct BinaryObjects {
  private var objects: [[UInt8]] = []

  /// No objects; the first that is added is the root.
  public init() {}

  /// Adds an object of these bytes.
  @discardableResult public mutating func add(_ bytes: [UInt8]) -> Int {
    objects.append(bytes)
    return objects.count - 1
  }

  /// Adds a string of ASCII.
  public mutating func string(_ text: String) -> Int {
    add(Self.marker(0x50, text.utf8.count) + Array(text.utf8))
  }

  /// Adds a reference of an archive.
  public mutating func uid(_ number: Int) -> Int { add([0x81] + Self.bigEndian(number, 2)) }

  /// An array of objects.
  public static func array(_ elements: [Int]) -> [UInt8] {
    marker(0xa0, elements.count) + elements.flatMap { bigEndian($0, 2) }
  }

  /// A dictionary of objects, its keys first.
  public static func dictionary(_ entries: [(key: Int, value: Int)]) -> [UInt8] {
    marker(0xd0, entries.count) + entries.flatMap { bigEndian($0.key, 2) }
      + entries.flatMap { bigEndian($0.value, 2) }
  }

  /// Puts other bytes in an object's place.
  public mutating func replace(_ object: Int, _ bytes: [UInt8]) { objects[object] = bytes }

  /// The file, with offsets of four bytes and references of two.
  public var file: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    return Self.file(bytes, offsets)
  }

  /// A file of these bytes, which begin with the header, and of objects at these offsets.
  public static func file(_ bytes: [UInt8], _ offsets: [Int]) -> [UInt8] {
    let start = bytes.count
    return bytes + offsets.flatMap { bigEndian($0, 4) } + [0, 0, 0, 0, 0, 0, 4, 2]
      + [offsets.count, 0, start].flatMap { bigEndian($0, 8) }
  }

  /// An object's kind with its count.
  public static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 15, 0x12] + bigEndian(count, 4)
  }

  private static func bigEndian(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

/// Small files that other programs need hours or gigabytes for.
public enum HostileFile: String, CaseIterable, Sendable {
  /// Forty arrays that each hold the next one twice.
  case sharedArrays
  /// The shared arrays as objects of an archive.
  case sharedArchive
  case arrayInItself, dictionaryInItself, arrayInItselfByAnother
  /// An archive of arrays in themselves and in each other.
  case archiveInItself
  /// Four layers of 56 views, each with all views of the next as its subviews: 10⁷ nodes as a tree.
  case nib
  /// An archive of one object with 500 scalars that is referred to 20 000 times.
  case sharedLeaf
  /// Objects that all lie over each other, each array with the references of all.
  case overlappingArrays
  /// An archive whose objects, and their classes, are all the same large dictionary.
  case overlappingArchive
  /// Keys that are all long strings, each beginning inside the one before.
  case overlappingKeys
  /// An archive of a list that has one long string and one long data five thousand times.
  case repeatedInArchive
  /// A property list that has one long string and one long data five thousand times.
  case repeatedInList
  /// A property list of five thousand dictionaries with one long key.
  case repeatedKey
  /// An archive of five thousand objects of a class with a long name.
  case repeatedNames
  /// An archive of five thousand objects with one long key.
  case repeatedObjectKey
  /// A property list whose data is the archive of a list with one long string five thousand times, and that data forty times.
  case repeatedInData
  /// An archive of a ring of ten thousand objects, each of which refers to the next and the one before.
  case ring
  /// An archive of an object below a key of 60,000 letters, to which two thousand keys refer.
  case pointersInKeys

  /// The file.
  public var bytes: [UInt8] {
    switch self {
    case .sharedArrays: Self.chain { [$0, $0] }
    case .arrayInItself: Self.plain { objects in [(0, BinaryObjects.array([0, objects.string("a")]))] }
    case .dictionaryInItself:
      Self.plain { objects in [(0, BinaryObjects.dictionary([(objects.string("me"), 0)]))] }
    case .arrayInItselfByAnother:
      Self.plain { objects in
        let other = objects.add([])
        return [(0, BinaryObjects.array([other, other])), (other, BinaryObjects.array([0]))]
      }
    case .sharedArchive: Self.archive(lists: (1...40).map { [$0 + 1, $0 + 1] } + [[]])
    case .archiveInItself: Self.archive(lists: [[1, 2, 3], [1, 2], [3]])
    case .nib: Self.nibBytes
    case .sharedLeaf: Self.sharedLeafBytes
    case .overlappingArrays: Self.overlapping { _ in 0 }
    case .overlappingArchive: Self.overlappingArchiveBytes
    case .overlappingKeys: Self.overlappingKeysBytes
    case .repeatedInArchive: Self.repeatedInArchiveBytes
    case .repeatedInList: Self.list(repeating: Self.repeatCount)
    case .repeatedKey: Self.repeatedKeyBytes
    case .repeatedNames: Self.repeatedNamesBytes
    case .repeatedObjectKey: Self.repeatedObjectKeyBytes
    case .repeatedInData: Self.repeatedInDataBytes
    case .ring: Self.ringBytes
    case .pointersInKeys: Self.pointersInKeysBytes
    }
  }

  /// The length of the repeated string, and the number of its repetitions.
  private static let (repeatedLength, repeatCount) = (20_000, 5000)
  private static var longText: String { String(repeating: "x", count: repeatedLength) }
  private static var longData: [UInt8] {
    BinaryObjects.marker(0x40, repeatedLength) + [UInt8](repeating: 0x79, count: repeatedLength)
  }

  /// Alternating references to two objects.
  private static func repeats(_ a: Int, _ b: Int, count: Int = repeatCount) -> [Int] {
    (0..<count).map { $0.isMultiple(of: 2) ? a : b }
  }

  private static var repeatedInArchiveBytes: [UInt8] {
    var archive = ArchiveInMaking()
    archive.add(keys: ["NS.objects": repeats(2, 3)], type: 4)
    archive.addString(longText)
    archive.add(bytes: longData)
    archive.addClass("NSArray", "NSObject")
    return archive.file
  }

  /// Returns a property list that has one long string and one long data as many times.
  public static func list(repeating count: Int) -> [UInt8] {
    var objects = BinaryObjects()
    objects.add([])
    let (text, data) = (objects.string(longText), objects.add(longData))
    objects.replace(0, BinaryObjects.array(repeats(text, data, count: count)))
    return objects.file
  }

  private static var repeatedKeyBytes: [UInt8] {
    var objects = BinaryObjects()
    objects.add([])
    let key = objects.string(longText)
    var elements: [Int] = []
    for _ in 0..<repeatCount { elements.append(objects.add(BinaryObjects.dictionary([(key, key)]))) }
    objects.replace(0, BinaryObjects.array(elements))
    return objects.file
  }

  private static var repeatedNamesBytes: [UInt8] {
    var archive = ArchiveInMaking()
    archive.add(keys: ["NS.objects": (0..<repeatCount).map { 4 + $0 }], type: 2)
    archive.addClass("NSArray", "NSObject")
    archive.addClass(longText, "NSObject")
    for _ in 0..<repeatCount { archive.addLeaf(keys: [], type: 3) }
    return archive.file
  }

  private static var repeatedObjectKeyBytes: [UInt8] {
    var archive = ArchiveInMaking()
    archive.add(keys: ["NS.objects": (0..<repeatCount).map { 4 + $0 }], type: 2)
    archive.addClass("NSArray", "NSObject")
    archive.addClass("Person", "NSObject")
    archive.addLeaves(key: longText, count: repeatCount, type: 3)
    return archive.file
  }

  private static var repeatedInDataBytes: [UInt8] {
    var archive = ArchiveInMaking()
    archive.add(keys: ["NS.objects": repeats(2, 2)], type: 3)
    archive.addString(longText)
    archive.addClass("NSArray", "NSObject")
    let inner = archive.file
    var objects = BinaryObjects()
    objects.add([])
    let data = objects.add(BinaryObjects.marker(0x40, inner.count) + inner)
    objects.replace(0, BinaryObjects.array([Int](repeating: data, count: 40)))
    return objects.file
  }

  private static var ringBytes: [UInt8] {
    let count = 10_000
    var archive = ArchiveInMaking()
    for number in 1...count {
      archive.add(
        references: ["next": number % count + 1, "previous": (number + count - 2) % count + 1],
        type: count + 1)
    }
    archive.addClass("Node", "NSObject")
    return archive.file
  }

  private static var pointersInKeysBytes: [UInt8] {
    let count = 2000
    var archive = ArchiveInMaking()
    archive.add(keys: ["NS.keys": [4, 5], "NS.objects": [6, 7]], type: 2)
    archive.addClass("NSDictionary", "NSObject")
    archive.addClass("NSArray", "NSObject")
    archive.addString(String(repeating: "x", count: 60_000))
    archive.addString("states")
    archive.add(keys: ["NS.objects": [1]], type: 3)
    archive.add(
      keys: ["NS.keys": (0..<count).map { 8 + $0 }, "NS.objects": [Int](repeating: 5, count: count)], type: 2)
    for _ in 0..<count { archive.add(keys: ["NS.objects": [6]], type: 3) }
    return archive.file
  }

  private static func plain(_ make: (inout BinaryObjects) -> [(Int, [UInt8])]) -> [UInt8] {
    var objects = BinaryObjects()
    objects.add([])
    for (object, bytes) in make(&objects) { objects.replace(object, bytes) }
    return objects.file
  }

  private static func chain(_ elements: (Int) -> [Int]) -> [UInt8] {
    var objects = BinaryObjects()
    for index in 1...40 { objects.add(BinaryObjects.array(elements(index))) }
    _ = objects.string("leaf")
    return objects.file
  }

  /// An archive of arrays, each given by the numbers of its elements; the first is the root, and number 1.
  private static func archive(lists: [[Int]]) -> [UInt8] {
    var archive = ArchiveInMaking()
    let type = lists.count + 1
    for list in lists { archive.add(keys: ["NS.objects": list], type: type) }
    archive.addClass("NSMutableArray", "NSArray", "NSObject")
    return archive.file
  }

  private static var nibBytes: [UInt8] {
    let width = 56
    var archive = ArchiveInMaking()
    let type = 4 * width + 2
    archive.add(keys: ["NSSubviews": Array(2...(width + 1))], type: type)
    for layer in 0..<4 {
      let next = layer < 3 ? (0..<width).map { 2 + (layer + 1) * width + $0 } : [1]
      for _ in 0..<width { archive.add(keys: ["NSSubviews": next], type: type) }
    }
    archive.addClass("NSView", "NSResponder", "NSObject")
    return archive.file
  }

  private static var sharedLeafBytes: [UInt8] {
    var archive = ArchiveInMaking()
    archive.add(keys: ["NSSubviews": [Int](repeating: 2, count: 20_000)], type: 3)
    archive.addLeaf(keys: (0..<500).map { "key\($0)" }, type: 3)
    archive.addClass("NSView", "NSResponder", "NSObject")
    return archive.file
  }

  /// Twenty thousand arrays over the same twenty thousand references, which lead to `target` of each's number.
  private static func overlapping(_ target: (Int) -> Int) -> [UInt8] {
    let count = 16_000
    let array = BinaryObjects.array((0..<count).map(target))
    return BinaryObjects.file(
      Array("bplist00".utf8) + array, [Int](repeating: 8, count: count))
  }

  private static var overlappingArchiveBytes: [UInt8] {
    // The archive's objects are one dictionary with many keys, over and over.
    var objects = BinaryObjects()
    objects.add([])
    let (names, top) = (["$objects", "$top", "$archiver", "$version", "k", "$class"], ["root"])
    let keys = names.map { objects.string($0) }
    let root = objects.string(top[0])
    let archiver = objects.string("NSKeyedArchiver")
    let version = objects.add([0x12, 0, 1, 0x86, 0xa0])
    let one = objects.uid(1)
    let large = objects.add(
      BinaryObjects.dictionary(
        [Int](repeating: 0, count: 4000).map { _ in (keys[4], one) } + [(keys[5], one)]))
    let list = objects.add(BinaryObjects.array([Int](repeating: large, count: 30_000)))
    let tops = objects.add(BinaryObjects.dictionary([(root, one)]))
    objects.replace(
      0,
      BinaryObjects.dictionary([
        (keys[0], list), (keys[1], tops), (keys[2], archiver), (keys[3], version),
      ]))
    return objects.file
  }

  /// Returns an archive of a list of objects that lie over each other, four bytes apart, each with 4095 keys: by turns a
  /// string and what is not a string.
  public static func overlappingObjects(_ count: Int, key: String) -> [UInt8] {
    // Each word of the dictionaries is a marker with the count, and the references to a key and a value.
    let word: [UInt8] = [0xdf, 0x11, 0x0f, 0xff]
    let (keyNumber, valueNumber) = (0xdf11, 0x0fff)
    var bytes = Array("bplist00".utf8)
    var offsets = [Int](repeating: bytes.count, count: keyNumber + 1)
    func put(_ number: Int, _ object: [UInt8]) {
      offsets[number] = bytes.count
      bytes += object
    }
    put(0, BinaryObjects.dictionary([(1, 5), (2, 6), (3, 7), (4, 8)]))
    for (number, text) in [
      (1, "$version"), (2, "$archiver"), (3, "$top"), (4, "$objects"), (6, "NSKeyedArchiver"), (9, "root"),
      (11, "$null"), (13, "$classname"), (14, "$classes"), (15, "NSArray"), (16, "NSObject"), (19, "$class"),
      (20, "NS.objects"), (keyNumber, key),
    ] {
      put(number, BinaryObjects.marker(0x50, text.utf8.count) + Array(text.utf8))
    }
    put(5, [0x12, 0, 1, 0x86, 0xa0])
    put(7, BinaryObjects.dictionary([(9, 10)]))
    put(10, [0x80, 2])
    put(valueNumber, [0x80, 1])
    put(12, BinaryObjects.dictionary([(13, 15), (14, 17)]))
    put(17, BinaryObjects.array([15, 16]))
    put(18, BinaryObjects.dictionary([(19, valueNumber), (20, 21)]))
    let objects = 0x1000..<0x1000 + count
    put(8, BinaryObjects.array([11, 12, 18] + objects))
    let references = objects.upperBound..<objects.upperBound + count
    put(21, BinaryObjects.array(Array(references)))
    for (index, number) in references.enumerated() {
      put(number, [0x81, UInt8((index + 3) >> 8), UInt8(truncatingIfNeeded: index + 3)])
    }
    for number in objects { put(number, word) }
    for _ in 0..<2 * 4095 { bytes += word }
    return BinaryObjects.file(bytes, offsets)
  }

  private static var overlappingKeysBytes: [UInt8] {
    // A UTF-16 string of 15 000 units begins at each marker of the bytes.
    let count = 4000
    let entries = (1...count).map { (key: $0, value: $0) }
    var bytes = Array("bplist00".utf8) + BinaryObjects.dictionary(entries)
    var offsets = [8]
    let string = BinaryObjects.marker(0x60, 15_000)
    for _ in 0..<count {
      offsets.append(bytes.count)
      bytes += string
    }
    bytes += [UInt8](repeating: 0x31, count: 30_000)
    return BinaryObjects.file(bytes, offsets)
  }
}

/// The property list of a keyed archive while it is made.
public struct ArchiveInMaking {
  private var objects = BinaryObjects()
  private var list = [Int]()
  private var names: [String: Int]

  /// An archive without objects.
  public init() {
    objects.add([])
    var names: [String: Int] = [:]
    for name in [
      "$objects", "$top", "$archiver", "$version", "root", "$class", "$classname", "$classes", "NS.objects",
      "NS.keys",
      "NSSubviews", "$null", "NSKeyedArchiver",
    ] {
      names[name] = objects.string(name)
    }
    self.names = names
    list.append(names["$null"] ?? 0)
  }

  /// Adds an object whose keys are lists of references.
  public mutating func add(keys: [String: [Int]], type: Int) {
    var entries: [(key: Int, value: Int)] = []
    for (key, references) in keys {
      var uids: [Int: Int] = [:]
      // In order, so that the file is the same each time.
      for number in Set(references).sorted() { uids[number] = objects.uid(number) }
      let elements = references.map { uids[$0] ?? 0 }
      entries.append((names[key] ?? 0, objects.add(BinaryObjects.array(elements))))
    }
    entries.append((names["$class"] ?? 0, objects.uid(type)))
    list.append(objects.add(BinaryObjects.dictionary(entries)))
  }

  /// Adds an object whose keys are all true.
  mutating func addLeaf(keys: [String], type: Int) {
    let yes = objects.add([0x09])
    var entries = keys.map { (key: objects.string($0), value: yes) }
    entries.append((names["$class"] ?? 0, objects.uid(type)))
    list.append(objects.add(BinaryObjects.dictionary(entries)))
  }

  /// Adds a string that is an object without a class.
  public mutating func addString(_ text: String) { list.append(objects.string(text)) }

  /// Adds an object of the property list without a class.
  mutating func add(bytes: [UInt8]) { list.append(objects.add(bytes)) }

  /// Adds objects that all have one key.
  mutating func addLeaves(key: String, count: Int, type: Int) {
    let (yes, name) = (objects.add([0x09]), objects.string(key))
    let uid = objects.uid(type)
    for _ in 0..<count {
      let entries = [(key: name, value: yes), (key: names["$class"] ?? 0, value: uid)]
      list.append(objects.add(BinaryObjects.dictionary(entries)))
    }
  }

  /// Adds an object whose keys refer to objects.
  public mutating func add(references: KeyValuePairs<String, Int>, type: Int) {
    var entries: [(key: Int, value: Int)] = []
    for (key, number) in references {
      if names[key] == nil { names[key] = objects.string(key) }
      entries.append((names[key] ?? 0, objects.uid(number)))
    }
    entries.append((names["$class"] ?? 0, objects.uid(type)))
    list.append(objects.add(BinaryObjects.dictionary(entries)))
  }

  /// Adds a class with its superclasses.
  public mutating func addClass(_ chain: String...) {
    let strings = chain.map { objects.string($0) }
    let classes = objects.add(BinaryObjects.array(strings))
    list.append(
      objects.add(
        BinaryObjects.dictionary([
          (names["$classname"] ?? 0, strings[0]), (names["$classes"] ?? 0, classes),
        ])))
  }

  /// The file.
  public var file: [UInt8] {
    var objects = objects
    let root = objects.uid(1)
    let top = objects.add(BinaryObjects.dictionary([(names["root"] ?? 0, root)]))
    let version = objects.add([0x12, 0, 1, 0x86, 0xa0])
    let all = objects.add(BinaryObjects.array(list))
    objects.replace(
      0,
      BinaryObjects.dictionary([
        (names["$version"] ?? 0, version), (names["$archiver"] ?? 0, names["NSKeyedArchiver"] ?? 0),
        (names["$top"] ?? 0, top), (names["$objects"] ?? 0, all),
      ]))
    return objects.file
  }
}
