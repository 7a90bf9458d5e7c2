/// The bytes of a whole file: in memory, or mapped so that only the accessed parts are read.
///
///     let bytes = try FileBytes(reading: "state.archive")
///     bytes.span[0]
///
/// A regular file of at least `mappedSize` bytes is mapped: opening it takes constant time, and the system
/// reads each page when it is first accessed. Any other input is read into memory.
///
/// A mapped file must not change. Replacing the file by another with the same name is allowed; `FileOutput`
/// and most programs do this. If another process truncates the file, access beyond its new end terminates
/// this process (SIGBUS). If another process overwrites the file, the bytes change.
struct FileBytes: Sendable {
  /// The minimum size of a mapped file in bytes. A smaller file is read in a few milliseconds, and other programs may
  /// then truncate it.
  static let mappedSize = 64 << 20

  private let array: [UInt8]
  private let mapping: MappedFile?

  /// Creates an instance for bytes in memory.
  init(_ array: [UInt8]) {
    self.array = array
    mapping = nil
  }

  private init(mapping: MappedFile) {
    array = []
    self.mapping = mapping
  }

  /// Reads or maps the file at a path, or reads the standard input for `-`.
  init(reading path: String) throws(FerryError) {
    let input = try FileInput(path: path)
    if path != "-", let size = input.size, size >= Self.mappedSize {
      self.init(mapping: try SystemFile(reading: path).mapped())
    } else {
      self.init(try input.readAll())
    }
  }

  var count: Int { mapping?.count ?? array.count }

  var span: Span<UInt8> {
    @_lifetime(borrow self)
    @inline(always)
    get {
      guard let mapping else { return array.span }
      return unsafe _overrideLifetime(mapping.span, borrowing: self)
    }
  }

  subscript(index: Int) -> UInt8 {
    @inline(always) get { span[index] }
  }

  /// Returns a copy of the first bytes.
  func prefix(_ length: Int) -> [UInt8] { [UInt8](copying: span.extracting(first: min(length, count))) }

  /// All bytes. They are copied if the file is mapped.
  var copy: [UInt8] { mapping == nil ? array : [UInt8](copying: span) }
}

/// An input with the bytes of a whole file. Mapped bytes are not copied.
final class FileBytesInput: RepeatableInput {
  let bytes: FileBytes
  private var isRead = false
  var canBeReadTwice: Bool { !isRead }

  init(_ bytes: FileBytes) { self.bytes = bytes }

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] { isRead ? [] : bytes.prefix(count) }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead, bytes.count > 0 else { return }
    isRead = true
    let bytes = bytes
    try body(bytes.span)
  }

  func readAll(limit: Int) throws(FerryError) -> [UInt8] {
    guard bytes.count <= limit else { throw FerryError(.file(.tooLarge(limit: limit))) }
    defer { isRead = true }
    return isRead ? [] : bytes.copy
  }

  func makeRewindable() throws(FerryError) {}

  func rewind() throws(FerryError) { isRead = false }
}

extension ByteInput {
  /// Returns all bytes for random access. Those of a `FileBytesInput` are not copied, and a file that is too large to be copied is mapped.
  func readFile() throws(FerryError) -> FileBytes {
    if let input = self as? FileBytesInput { return input.bytes }
    if let path, let sizeOfFile, sizeOfFile > Budget.wholeBytes { return try FileBytes(reading: path) }
    return FileBytes(try readAll())
  }
}
