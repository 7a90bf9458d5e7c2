/// An input that may read a file, whose size is known.
protocol SizedInput: ByteInput {
  /// The size of the file in bytes, also if it is compressed. Nil if the input is not a file, so that it can be read only once.
  var sizeOfFile: Int? { get }
}

extension ByteInput {
  /// The size of the file that the input reads, or nil if the input is not a file.
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
