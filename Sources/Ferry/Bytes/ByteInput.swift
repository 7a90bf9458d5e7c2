/// A source of bytes for a reader.
public protocol ByteInput: AnyObject {
  /// The path of the file that is the whole input, for a reader that opens the file itself. Nil for other
  /// inputs.
  var path: String? { get }
  /// Returns the next bytes without consuming them. Returns fewer than `count` bytes only at the end.
  ///
  /// - Precondition: `count` is not negative.
  func peek(upTo count: Int) throws(FerryError) -> [UInt8]
  /// Calls a function with each chunk of the input. A chunk is valid only during the call. A function that throws other errors than
  /// `FerryError` can be passed, too.
  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError)
  /// Reads all remaining bytes. Throws if there are more than `limit`.
  func readAll(limit: Int) throws(FerryError) -> [UInt8]
  /// Makes `rewind()` possible. Must be called before the first byte is read. A pipe is copied to a temporary
  /// file.
  func makeRewindable() throws(FerryError)
  /// Returns to the beginning, to read the same bytes again.
  func rewind() throws(FerryError)
}

extension ByteInput {
  /// Nil: the input is not a file.
  public var path: String? { nil }
  /// Reads all remaining bytes. Throws if there are more than `limit`.
  public func readAll(limit: Int) throws(FerryError) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk { chunk throws(FerryError) in
      guard chunk.count <= limit - bytes.count else { throw FerryError(.file(.tooLarge(limit: limit))) }
      bytes.append(copying: chunk)
    }
    return bytes
  }

  /// Reads all remaining bytes, up to 2 GiB. A larger file is refused before it is read; bytes in memory have no limit.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.tooLarge`, or an error of the input.
  public func readAll() throws(FerryError) -> [UInt8] { try readAll(limit: mostBytes) }

  /// The maximum number of bytes that are read at once without another limit.
  var mostBytes: Int { max((self as? MemoryInput)?.count ?? 0, Budget.wholeBytes) }

  /// Reads all remaining bytes as one value, whose size the budget limits.
  func readAll(upToTokenOf budget: Budget) throws(FerryError) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk { chunk throws(FerryError) in
      try budget.checkToken(bytes.count + chunk.count)
      bytes.append(copying: chunk)
    }
    return bytes
  }

  /// Calls a function that may throw any error with each chunk of the input. A chunk is valid only during the call.
  ///
  ///     var count = 0
  ///     try FileInput(path: "people.xml").forEachChunk { chunk in
  ///       try Task.checkCancellation()
  ///       count += chunk.count
  ///     }
  ///
  /// - Throws: An error of the function, after which the function is not called again, or a `FerryError` of the input.
  @_disfavoredOverload
  public func forEachChunk(_ body: (Span<UInt8>) throws -> Void) throws {
    let passed = PassedError()
    try passed.passing { () throws(FerryError) in
      try forEachChunk { chunk throws(FerryError) in
        do { try body(chunk) } catch { throw passed.keeping(error) }
      }
    }
  }
}
