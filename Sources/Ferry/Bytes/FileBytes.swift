/// The bytes of a whole file: in memory, or mapped so that only the accessed parts are read.
///
///     let bytes = try FileBytes(reading: "state.archive")
///     bytes.span[0]
///
/// A file smaller than `mappedSize`, and anything but a regular file, is read. A larger file is mapped:
/// opening it costs nothing, and the system reads each page at its first access. A mapped file must not
/// change. A file that is replaced by another with its name, as `FileOutput` and most programs replace files,
/// does not change. If another process truncates the file, access beyond its end terminates this process
/// (SIGBUS); if it overwrites the file, the bytes change.
struct FileBytes {
  /// The least size of a file that is mapped. Reading a smaller file is faster than the page faults would be.
  static let mappedSize = 1 << 20

  private let array: [UInt8]
  private let mapping: MappedFile?

  /// Creates an instance from bytes in memory.
  init(_ array: [UInt8]) {
    self.array = array
    mapping = nil
  }

  private init(mapping: MappedFile) {
    array = []
    self.mapping = mapping
  }

  /// Reads or maps a file; `-` is the standard input.
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

  /// All of the bytes, copied if they are mapped.
  var copy: [UInt8] { mapping == nil ? array : [UInt8](copying: span) }
}

/// An input from the bytes of a whole file. Bytes that are mapped are not copied.
final class FileBytesInput: Input {
  let bytes: FileBytes
  private var isRead = false

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

extension Input {
  /// Reads all unread bytes. Returns the bytes of a `FileBytesInput` without a copy.
  func readFile() throws(FerryError) -> FileBytes {
    if let input = self as? FileBytesInput { return input.bytes }
    return FileBytes(try readAll())
  }
}
