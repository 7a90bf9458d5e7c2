/// An input that can be read only once, and is copied to a temporary file before it is read if it may have to be read twice.
protocol CopyingInput: ByteInput {
  /// The copy, from which the input is read if there is one.
  var copy: FileInput? { get set }
}

extension CopyingInput {
  func makeRewindable() throws(FerryError) {
    guard copy == nil else { return }
    copy = try FileInput(copying: self)
  }

  func rewind() throws(FerryError) {
    guard let copy else { throw FerryError(.file(.notRewindable)) }
    try copy.rewind()
  }
}

extension FileInput {
  /// Copies an input to an unlinked temporary file.
  convenience init(copying input: some ByteInput) throws(FerryError) {
    let file = try SystemFile.temporary()
    try input.forEachChunk { chunk throws(FerryError) in
      do throws(FerryError) { try file.write(chunk) } catch { throw error.ofTemporaryFolder }
    }
    try file.seek(to: 0)
    try self.init(file)
  }
}
