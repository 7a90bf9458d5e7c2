/// Single bytes that arrive one after the other, such as `URLSession.AsyncBytes`, as the chunks that ``AsyncRecords`` reads.
///
/// A chunk ends after a line feed, so that lines are read as soon as they have arrived, after 16 KiB, and at the end.
public struct ByteChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
  public typealias Element = [UInt8]
  public typealias Failure = any Error

  private let bytes: Bytes

  /// Creates the chunks of a sequence of bytes.
  public init(_ bytes: Bytes) { self.bytes = bytes }

  /// An iterator that suspends the task until a chunk has arrived.
  public struct AsyncIterator: AsyncIteratorProtocol {
    public typealias Failure = any Error

    private static var mostBytes: Int { 16 << 10 }

    fileprivate var bytes: Bytes.AsyncIterator
    /// The error of the bytes after the last chunk.
    fileprivate var error: (any Error)?

    /// Returns the next chunk, or nil at the end.
    ///
    /// - Throws: The error of the bytes, after the bytes before it.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
      if let error { throw error }
      var chunk: [UInt8] = []
      do {
        while chunk.count < Self.mostBytes, let byte = try await bytes.next(isolation: actor) {
          chunk.append(byte)
          if byte == UInt8(ascii: "\n") { break }
        }
      } catch {
        guard !chunk.isEmpty else { throw error }
        self.error = error
      }
      return chunk.isEmpty ? nil : chunk
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeAsyncIterator()) }
}

extension ByteChunks: Sendable where Bytes: Sendable {}

extension AsyncRecords where Element: Decodable & SendableMetatype {
  /// Creates a sequence of decoded records from single bytes.
  ///
  ///     let (body, _) = try await URLSession.shared.bytes(from: url)
  ///     for try await person in AsyncRecords(of: Person.self, from: body, settings) { … }
  ///
  /// - Parameters:
  ///   - type: The type of a record.
  ///   - bytes: The bytes of the document, one by one.
  ///   - name: The file name of the document, used if the content has no signature.
  ///   - settings: The settings of the reading.
  public init<Bytes: AsyncSequence>(
    of type: Element.Type, from bytes: Bytes, named name: String? = nil,
    _ settings: RecordSettings = RecordSettings()
  ) where Bytes.Element == UInt8, Chunks == ByteChunks<Bytes> {
    self.init(of: type, from: ByteChunks(bytes), named: name, settings)
  }
}

extension AsyncRecords where Element == Value {
  /// Creates a sequence of values from single bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the document, one by one.
  ///   - name: The file name of the document, used if the content has no signature.
  ///   - settings: The settings of the reading.
  public init<Bytes: AsyncSequence>(
    from bytes: Bytes, named name: String? = nil, _ settings: RecordSettings = .values
  ) where Bytes.Element == UInt8, Chunks == ByteChunks<Bytes> {
    self.init(from: ByteChunks(bytes), named: name, settings)
  }
}
