/// An input that may read a file, whose size is known.
protocol SizedInput: ByteInput {
  /// The size of the bytes that the input reads, compressed if they are. Nil for a pipe, which can be read only once.
  var sizeOfFile: Int? { get }
}

extension ByteInput {
  /// The size of the bytes that the input reads, or nil if it is not known before they are read.
  var sizeOfFile: Int? { (self as? any SizedInput)?.sizeOfFile }
}

extension FileInput: SizedInput {
  var sizeOfFile: Int? { size }
}

extension MemoryInput: SizedInput {
  var sizeOfFile: Int? { count }
}

extension FileBytesInput: SizedInput {
  var sizeOfFile: Int? { bytes.count }
}
