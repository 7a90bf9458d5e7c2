/// A buffer that combines small pieces of output into large ones.
@safe
struct OutputBuffer: ~Copyable {
  /// The memory, of which only the first bytes are initialized.
  private let storage: UnsafeMutableBufferPointer<UInt8>
  /// The number of initialized bytes.
  private var used = 0
  private let output: any ByteOutput
  /// The largest number of bytes that the buffer holds back.
  static let size = 1 << 16
  /// The number of bytes written so far, including those in the buffer.
  var count: Int { handedOn + used }
  private var handedOn = 0

  init(to output: any ByteOutput) {
    self.output = output
    unsafe storage = .allocate(capacity: Self.size)
  }

  deinit { unsafe storage.deallocate() }

  /// Writes one byte.
  @inline(always)
  mutating func append(_ byte: UInt8) throws(FerryError) {
    if used == Self.size { try flush() }
    unsafe storage[used] = byte
    used += 1
  }

  /// Writes bytes.
  mutating func append(_ piece: Span<UInt8>) throws(FerryError) {
    guard piece.count <= Self.size - used else { return try append(large: piece) }
    put(piece)
  }

  /// Writes bytes in quotation marks, with a byte before and after these if it is given.
  mutating func append(
    quoted piece: Span<UInt8>, after separator: UInt8? = nil, before mark: UInt8? = nil
  ) throws(FerryError) {
    guard piece.count + 4 <= Self.size - used else {
      if let separator { try append(separator) }
      try append(UInt8(ascii: "\""))
      try append(piece)
      try append(UInt8(ascii: "\""))
      if let mark { try append(mark) }
      return
    }
    if let separator { put(separator) }
    put(UInt8(ascii: "\""))
    put(piece)
    put(UInt8(ascii: "\""))
    if let mark { put(mark) }
  }

  /// Writes a key of JSON and a string, neither of which needs escapes, with a comma before them unless the entry is the first one.
  /// Returns false without an effect if the buffer has too little room.
  @inline(__always)
  mutating func appendIfRoom(_ key: Span<UInt8>, _ string: Span<UInt8>, isFirst: Bool) -> Bool {
    guard key.count <= Self.size, string.count <= Self.size,
      key.count &+ string.count &+ 6 <= Self.size - used
    else { return false }
    if !isFirst { put(UInt8(ascii: ",")) }
    put(UInt8(ascii: "\""))
    put(key)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
    put(UInt8(ascii: "\""))
    put(string)
    put(UInt8(ascii: "\""))
    return true
  }

  /// Writes a key of JSON that needs no escapes and the colon after it, with a comma before them unless the entry is the first one. Returns
  /// false without an effect if the buffer has too little room.
  @inline(__always)
  mutating func appendIfRoom(_ key: Span<UInt8>, isFirst: Bool) -> Bool {
    guard key.count <= Self.size, key.count &+ 4 <= Self.size - used else { return false }
    if !isFirst { put(UInt8(ascii: ",")) }
    put(UInt8(ascii: "\""))
    put(key)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
    return true
  }

  /// Writes an element of XML with a text that needs no escapes, and white space before it.
  mutating func append(
    element name: Span<UInt8>, _ text: Span<UInt8>, after space: Span<UInt8>
  ) throws(FerryError) {
    guard space.count + 2 * name.count + text.count + 5 <= Self.size - used else {
      try append(space)
      try append(UInt8(ascii: "<"))
      try append(name)
      try append(UInt8(ascii: ">"))
      try append(text)
      try append("</")
      try append(name)
      return try append(UInt8(ascii: ">"))
    }
    put(space)
    put(UInt8(ascii: "<"))
    put(name)
    put(UInt8(ascii: ">"))
    put(text)
    put(UInt8(ascii: "<"))
    put(UInt8(ascii: "/"))
    put(name)
    put(UInt8(ascii: ">"))
  }

  /// Writes one byte, for which there is room.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    unsafe storage[used] = byte
    used &+= 1
  }

  /// Writes bytes, for which there is room.
  @inline(__always)
  private mutating func put(_ piece: Span<UInt8>) {
    unsafe piece.withUnsafeBufferPointer { piece in
      guard let source = piece.baseAddress, let start = unsafe storage.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(start + used).copy(short: source, count: piece.count)
    }
    used &+= piece.count
  }

  @inline(never)
  private mutating func append(large piece: Span<UInt8>) throws(FerryError) {
    try flush()
    guard piece.count >= Self.size else { return try append(piece) }
    try output.write(piece)
    handedOn += piece.count
  }

  /// Writes the bytes of a literal.
  mutating func append(_ literal: StaticString) throws(FerryError) {
    try append(unsafe Span(_unsafeStart: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Writes a string's UTF-8.
  mutating func append(_ string: String) throws(FerryError) { try append(string.utf8.span) }

  /// Writes an integer in decimal.
  mutating func append(decimal number: Int128) throws(FerryError) {
    guard let small = Int64(exactly: number) else { return try append(number.description) }
    let digits = IntegerText(small)
    try append(digits.span)
  }

  /// Writes the bytes before the total count `end` to the output, and keeps the rest in the buffer.
  mutating func flush(upTo end: Int) throws(FerryError) {
    let length = end - handedOn
    guard length > 0 else { return }
    try output.write(unsafe UnsafeBufferPointer(rebasing: storage[..<length]).span)
    for index in length..<used { unsafe storage[index - length] = storage[index] }
    handedOn += length
    used -= length
  }

  /// Writes the buffered bytes to the output.
  mutating func flush() throws(FerryError) {
    guard used > 0 else { return }
    try output.write(unsafe UnsafeBufferPointer(rebasing: storage[..<used]).span)
    handedOn += used
    used = 0
  }
}

extension UnsafeMutableRawPointer {
  /// Copies bytes that do not overlap the target. Most texts are short, so that a call of the system's function would take longer than
  /// two moves of words, which may overlap each other.
  @inline(__always)
  fileprivate func copy(short source: UnsafeRawPointer, count: Int) {
    switch count {
    case 8...16: unsafe copy(endsOf: source, count: count, as: UInt64.self)
    case 4..<8: unsafe copy(endsOf: source, count: count, as: UInt32.self)
    case 17...32: unsafe copy(endsOf: source, count: count, as: SIMD16<UInt8>.self)
    case 2...3: unsafe copy(endsOf: source, count: count, as: UInt16.self)
    case 1: unsafe storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
    default: unsafe copyMemory(from: source, byteCount: count)
    }
  }

  /// Copies the first and the last word of bytes that are one to two words long.
  @inline(__always)
  private func copy<Word: BitwiseCopyable>(endsOf source: UnsafeRawPointer, count: Int, as word: Word.Type) {
    let last = count &- MemoryLayout<Word>.size
    let words = unsafe (
      source.loadUnaligned(as: word), source.loadUnaligned(fromByteOffset: last, as: word)
    )
    unsafe storeBytes(of: words.0, as: word)
    unsafe storeBytes(of: words.1, toByteOffset: last, as: word)
  }
}
