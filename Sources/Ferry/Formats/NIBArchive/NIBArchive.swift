/// A compiled nib file: the format in which Xcode stores the objects of a user interface since macOS 10.13 and iOS 6.
///
/// A file consists of a header and four tables. Numbers in the header have four bytes, the lowest first.
///
///     offset 0   NIBArchive        the signature
///           10   1, 9              the versions of the format and of the encoder
///           18   objects, offset   the number of objects and the offset of their table; likewise of keys,
///                                  values and classes
///
///     an object   its class, its first value, the number of its values
///     a key       the length of its name, the name
///     a value     its key, a byte for the type, the value
///     a class     the length of its name with a final zero, the number of fallback classes, these, the name
///
/// Numbers in the tables have seven bits in each byte, the lowest first. The last byte has the high bit. The types of
/// values are:
///
///     0 … 3   integers of 1, 2, 4 and 8 bytes      8   a length and data
///     4, 5    false and true                       9   nil
///     6, 7    reals of 4 and 8 bytes              10   the number of an object, in four bytes
struct NIBArchive {
  /// An object: its class and its values.
  struct Object {
    var type: Int
    var values: Range<Int>
  }

  /// A value under a key of an object.
  struct Entry {
    var key: Int
    var value: NIBValue
  }

  /// A class, with the numbers of the classes that a program without the class uses instead.
  struct Class {
    var name: String
    var fallbacks: [Int]
  }

  let bytes: [UInt8]
  private(set) var objects: [Object] = []
  private(set) var keys: [String] = []
  private(set) var entries: [Entry] = []
  private(set) var classes: [Class] = []

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - budget: The limits on the length of data, and on the values that objects share.
  /// - Throws: A `FerryError` with the reason `ArchiveProblem.badNib` and the offset of the first invalid byte.
  init(_ bytes: [UInt8], budget: Budget) throws(FerryError) {
    self.bytes = bytes
    var header = NIBCursor(bytes, at: 0, budget: budget)
    guard FileSignature.nibArchive.begins(bytes) else {
      throw header.malformed("it does not begin with NIBArchive")
    }
    header = NIBCursor(bytes, at: FileSignature.nibArchive.bytes.count, budget: budget)
    let version = try header.fixed("the version of the format")
    guard version == 1 else { throw header.malformed("version \(version) of the format is not supported") }
    _ = try header.fixed("the version of the encoder")
    let counts = try [
      header.table("objects", of: 3), header.table("keys", of: 1), header.table("values", of: 2),
      header.table("classes", of: 3),
    ]
    try readKeys(counts[1], budget)
    try readClasses(counts[3], budget)
    try readEntries(counts[2], objectCount: counts[0].count, budget)
    try readObjects(counts[0], budget)
  }

  private mutating func readKeys(_ table: NIBCursor.Table, _ budget: Budget) throws(FerryError) {
    var cursor = NIBCursor(bytes, at: table.offset, budget: budget)
    keys.reserveCapacity(table.count)
    for _ in 0..<table.count {
      let range = try cursor.take(cursor.number("the length of a key"), "a key")
      keys.append(try cursor.text(range, "a key"))
    }
  }

  private mutating func readClasses(_ table: NIBCursor.Table, _ budget: Budget) throws(FerryError) {
    var cursor = NIBCursor(bytes, at: table.offset, budget: budget)
    classes.reserveCapacity(table.count)
    for _ in 0..<table.count {
      let length = try cursor.number("the length of a class name")
      let fallbackCount = try cursor.number("the number of fallback classes")
      var fallbacks: [Int] = []
      for _ in 0..<fallbackCount {
        let start = cursor.offset
        let number = try cursor.fixed("a fallback class")
        guard number < table.count else {
          throw cursor.malformed("class \(number) does not exist", at: start)
        }
        fallbacks.append(number)
      }
      var range = try cursor.take(length, "a class name")
      if let last = range.last, bytes[last] == 0 { range = range.lowerBound..<last }
      classes.append(Class(name: try cursor.text(range, "a class name"), fallbacks: fallbacks))
    }
    // In a hostile file, many classes have the same long name as fallbacks.
    var rest = budget.allowance(forInputBytes: bytes.count)
    for type in classes {
      for number in type.fallbacks { rest -= Budget.valueCost + classes[number].name.utf8.count }
      guard rest >= 0 else { throw budget.overAmplification.placed(at: InputLocation(byte: table.offset)) }
    }
  }

  private mutating func readEntries(
    _ table: NIBCursor.Table, objectCount: Int, _ budget: Budget
  ) throws(FerryError) {
    var cursor = NIBCursor(bytes, at: table.offset, budget: budget)
    entries.reserveCapacity(table.count)
    for _ in 0..<table.count {
      let start = cursor.offset
      let key = try cursor.number("the key of a value")
      guard keys.indices.contains(key) else { throw cursor.malformed("key \(key) does not exist", at: start) }
      entries.append(Entry(key: key, value: try cursor.value(objectCount: objectCount)))
    }
  }

  /// For each value, the bytes that all values before it take with their keys, and after the last value, those of all.
  private var weights: [Int] {
    var weights = [0]
    weights.reserveCapacity(entries.count + 1)
    for entry in entries {
      var weight = Budget.valueCost + keys[entry.key].utf8.count
      if case .data(let range) = entry.value { weight += range.count }
      weights.append(weights[weights.count - 1] + weight)
    }
    return weights
  }

  private mutating func readObjects(_ table: NIBCursor.Table, _ budget: Budget) throws(FerryError) {
    var cursor = NIBCursor(bytes, at: table.offset, budget: budget)
    guard table.count > 0 else { throw cursor.malformed("it has no objects") }
    objects.reserveCapacity(table.count)
    // In a hostile file, all objects have the same values, which are many, and all values have the same long key.
    var rest = budget.allowance(forInputBytes: bytes.count)
    let weights = weights
    for _ in 0..<table.count {
      let start = cursor.offset
      let type = try cursor.number("the class of an object")
      guard classes.indices.contains(type) else {
        throw cursor.malformed("class \(type) does not exist", at: start)
      }
      let (first, count) = (
        try cursor.number("the first value of an object"), try cursor.number("a number of values")
      )
      guard first <= entries.count, count <= entries.count - first else {
        throw cursor.malformed("an object has values after the last one", at: start)
      }
      rest -= weights[first + count] - weights[first]
      guard rest >= 0 else { throw budget.overAmplification.placed(at: InputLocation(byte: start)) }
      objects.append(Object(type: type, values: first..<first + count))
    }
  }
}

/// The value under a key of an object in a nib file.
enum NIBValue {
  case integer(Int64)
  case boolean(Bool)
  case single(Float)
  case real(Double)
  case data(Range<Int>)
  case null
  case object(Int)
}
