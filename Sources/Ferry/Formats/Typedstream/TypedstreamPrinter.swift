/// A printer of the parts of a typedstream: numbers, shared strings, classes, and the beginnings and ends of
/// objects.
///
/// The values determine every byte. A number takes as few bytes as possible. A string, a class or an object that has
/// occurred before is written as its number.
struct TypedstreamPrinter {
  private typealias Head = TypedstreamCursor.Head

  /// A caller's key for references to an object in the output.
  struct ObjectKey: Hashable {
    private let number: Int

    /// Creates the key of an object of a copied file.
    ///
    /// - Parameters:
    ///   - copy: The number of the copy that has an object of its own, from 1 on; 0 for the object itself.
    ///   - count: The number of objects of the file.
    init(_ object: TypedstreamObjectNumber, inCopy copy: Int, ofObjects count: Int) {
      number = object.index + copy * count
    }

    /// Creates the key of a new object on a tape. It differs from those of copied objects.
    init(new object: TapeIndex) { number = -1 - object.index }

    /// Creates the key of the object with an identity in the typed form.
    init(identity: Int) { number = identity }
  }

  private(set) var bytes: [UInt8]
  private let isBigEndian: Bool
  /// The numbers of the shared strings.
  private var strings: [[UInt8]: Int] = [:]
  /// The number of objects, classes and C strings, which share one sequence of numbers.
  private var sharedCount = 0
  private var cStrings: [[UInt8]: Int] = [:]
  /// The numbers of classes and objects in the output, by the numbers and keys that the caller uses.
  private var types: [TypedstreamClassNumber: Int] = [:]
  private var objects: [ObjectKey: Int] = [:]

  /// Creates a printer, and writes the header.
  init(_ byteOrder: Typedstream.ByteOrder, systemVersion: Int64) {
    isBigEndian = byteOrder == .bigEndian
    let signature = byteOrder.signature
    bytes = [Typedstream.supportedVersion, UInt8(signature.utf8.count)] + signature.utf8
    integer(systemVersion)
  }

  // MARK: Numbers

  /// Writes an integer in as few bytes as possible.
  mutating func integer(_ number: Int64) {
    if let byte = Int8(exactly: number), !Head.reserved.contains(UInt8(bitPattern: byte)) {
      bytes.append(UInt8(bitPattern: byte))
    } else if let small = Int16(exactly: number) {
      append(Head.int16, UInt64(truncatingIfNeeded: small), width: 2)
    } else if let medium = Int32(exactly: number) {
      append(Head.int32, UInt64(truncatingIfNeeded: medium), width: 4)
    } else {
      append(Head.int64, UInt64(bitPattern: number), width: 8)
    }
  }

  /// Writes an integer of a type.
  mutating func integer(_ number: Int128, as code: UInt8) throws(FerryError) {
    let stored: Int64? =
      switch code {
      case UInt8(ascii: "c"): Int8(exactly: number).map(Int64.init)
      case UInt8(ascii: "C"): UInt8(exactly: number).map(Int64.init)
      case UInt8(ascii: "S"): UInt16(exactly: number).map { Int64(Int16(bitPattern: $0)) }
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt32(exactly: number).map { Int64(Int32(bitPattern: $0)) }
      case UInt8(ascii: "Q"): UInt64(exactly: number).map { Int64(bitPattern: $0) }
      default: Int64(exactly: number)
      }
    guard let stored else {
      throw FerryError(.typedstream(.outOfRange("\(number)", type: String(UnicodeScalar(code)))))
    }
    if code == UInt8(ascii: "c") || code == UInt8(ascii: "C") {
      byte(UInt8(truncatingIfNeeded: stored))
    } else {
      integer(stored)
    }
  }

  /// Writes a 64-bit real. One with the value of a 32-bit integer is written as the integer.
  mutating func real(_ value: Double) {
    if let integer = Int32(exactly: value), value != 0 || value.sign == .plus {
      return self.integer(Int64(integer))
    }
    append(Head.real, value.bitPattern, width: 8)
  }

  /// Writes a 32-bit real. One with the value of a 32-bit integer is written as the integer.
  mutating func single(_ value: Float) {
    if let integer = Int32(exactly: value), value != 0 || value.sign == .plus {
      return self.integer(Int64(integer))
    }
    append(Head.real, UInt64(value.bitPattern), width: 4)
  }

  private mutating func append(_ head: UInt8, _ bits: UInt64, width: Int) {
    bytes.append(head)
    for step in 0..<width {
      let shift = 8 * (isBigEndian ? width - 1 - step : step)
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  /// Writes a character or a boolean.
  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  /// Writes the elements of an array of characters.
  mutating func characters(_ characters: some Sequence<UInt8>) { bytes += characters }

  // MARK: Strings

  /// Writes nil.
  mutating func null() { bytes.append(Head.null) }

  /// Writes a string of bytes, which is not shared.
  mutating func string(_ text: some Collection<UInt8>) {
    integer(unsigned: text.count)
    bytes += text
  }

  /// Writes a length. One that does not fit in seven bits has two or four bytes after a mark.
  private mutating func integer(unsigned length: Int) {
    if length < 0x80 {
      bytes.append(UInt8(length))
    } else if length <= Int(UInt16.max) {
      append(Head.int16, UInt64(length), width: 2)
    } else {
      append(Head.int32, UInt64(length), width: 4)
    }
  }

  /// Writes a shared string: the types of a group, an atom, a selector or a name.
  mutating func sharedString(_ text: [UInt8]) {
    if let number = strings[text] { return integer(Int64(number + Head.firstReference)) }
    strings[text] = strings.count
    bytes.append(Head.new)
    string(text)
  }

  /// Writes a C string, which is numbered in addition to its shared string.
  mutating func cString(_ text: [UInt8]) {
    if let number = cStrings[text] { return integer(Int64(number + Head.firstReference)) }
    cStrings[text] = takeNumber()
    bytes.append(Head.new)
    sharedString(text)
  }

  private mutating func takeNumber() -> Int {
    defer { sharedCount += 1 }
    return sharedCount
  }

  // MARK: Classes and objects

  /// Writes a class and its superclasses.
  mutating func type(_ number: TypedstreamClassNumber, of classes: [TypedstreamClass]) {
    var next = Optional(number)
    while let number = next {
      if let known = types[number] { return integer(Int64(known + Head.firstReference)) }
      types[number] = takeNumber()
      bytes.append(Head.new)
      sharedString(Array(classes[number].name.utf8))
      integer(classes[number].version)
      next = classes[number].superclass
    }
    null()
  }

  /// Writes a reference to an object. Returns false, and writes nothing, if the object has not begun yet.
  mutating func reference(to object: ObjectKey) -> Bool {
    guard let number = objects[object] else { return false }
    integer(Int64(number + Head.firstReference))
    return true
  }

  /// Begins an object.
  ///
  /// - Parameters:
  ///   - object: The key for references to the object; nil if there are none.
  ///   - type: The number of its class among `classes`.
  mutating func beginObject(
    _ object: ObjectKey?, type: TypedstreamClassNumber, of classes: [TypedstreamClass]
  ) {
    let number = takeNumber()
    if let object { objects[object] = number }
    bytes.append(Head.new)
    self.type(type, of: classes)
  }

  /// Ends the innermost object.
  mutating func endObject() { bytes.append(Head.endOfObject) }
}

extension Typedstream.ByteOrder {
  /// The signature of a file with this byte order.
  var signature: String { self == .littleEndian ? "streamtyped" : "typedstream" }

  /// Finds the byte order with a signature. Fails if there is none.
  init?(signature: Span<UInt8>) {
    for order in [Self.littleEndian, .bigEndian] {
      let known = order.signature
      if signature.equals(known.utf8.span) {
        self = order
        return
      }
    }
    return nil
  }
}
