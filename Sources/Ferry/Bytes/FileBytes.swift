/// The bytes of a whole file: in memory, or mapped so that only what is looked at is read.
///
///     let bytes = try FileBytes(reading: "state.archive")
///     bytes.span[0]
///
/// A file below `mappedSize`, and anything that is no regular file, is read. A larger one is mapped: opening it costs
/// nothing, and the system reads a page when it is touched. What is mapped must stay as it is. A file that is replaced
/// by another of its name, as `FileOutput` and most programs replace files, does; one that another process cuts short
/// while we look at its end makes the system end this process (SIGBUS), and one that is written over shows through.
struct FileBytes {
  /// From this size on a file is mapped. Reading a smaller one takes less time than its first pages would.
  static let mappedSize = 1 << 20

  private let array: [UInt8]
  private let mapping: MappedFile?

  /// Bytes that are in memory already.
  init(_ array: [UInt8]) {
    self.array = array
    mapping = nil
  }

  private init(mapping: MappedFile) {
    array = []
    self.mapping = mapping
  }

  /// The bytes of a file; `-` is the standard input.
  init(reading path: String) throws(Failure) {
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

  /// The first bytes, a copy.
  func prefix(_ length: Int) -> [UInt8] { [UInt8](copying: span.extracting(first: min(length, count))) }

  /// All of the bytes, a copy where they are mapped.
  var copy: [UInt8] { mapping == nil ? array : [UInt8](copying: span) }
}
