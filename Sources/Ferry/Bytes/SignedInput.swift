/// An input with the contents of another input, which is signed data. Its signatures are not verified.
final class SignedInput: SizedInput, RepeatableInput {
  private let input: any ByteInput
  private var isRead = false
  /// The size of the file: its contents are at most as long.
  var sizeOfFile: Int? { input.sizeOfFile }
  var canBeReadTwice: Bool { !isRead && input.canBeReadTwice }

  init(_ input: any ByteInput) { self.input = input }

  /// The number of bytes that precede the contents in most files.
  private static let usualStart = 128
  /// The maximum number of bytes in which `peek` looks for the first contents.
  private static let longestStart = 1 << 20

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] {
    guard !isRead, count > 0 else { return [] }
    var size = count + Self.usualStart
    while true {
      let head = try input.peek(upTo: size)
      let isWhole = head.count < size
      let contents = try SignedData.beginning(of: head.span, isWhole: isWhole)
      guard contents.count < count, !isWhole, size < Self.longestStart + count else {
        return Array(contents.prefix(count))
      }
      size *= 2
    }
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead else { return }
    let bytes = try input.readAll()
    isRead = true
    let contents = try SignedData.contents(of: bytes.span)
    guard !contents.isEmpty else { return }
    try body(contents.span)
  }

  func makeRewindable() throws(FerryError) { try input.makeRewindable() }

  func rewind() throws(FerryError) {
    try input.rewind()
    isRead = false
  }
}

extension ByteInput {
  /// Returns true if the input begins as signed data does.
  package func beginsAsSignedData() throws(FerryError) -> Bool { SignedData.begins(try peek(upTo: 32)) }
}
