extension EditableFile {
  /// The file's bytes with all changes; without any, the bytes it was opened with.
  ///
  /// - Throws: what the format cannot hold.
  public func bytes() throws(Failure) -> [UInt8] {
    guard !list.isUnchanged else { return source.copy }
    if let file = list.base as? BinaryPropertyList { return try binaryBytes(of: file) }
    guard let tree = list.base as? PropertyListTree else { return source.copy }
    return try TextEdits(of: list, over: tree, source: source.copy, format: format).bytes()
  }

  /// Writes the file, in place of the one that is there: as a whole or not at all. Its mode is kept, and a symbolic link
  /// is followed.
  ///
  /// - Throws: what the system says, and what the format cannot hold. The file is then as it was.
  public func write(to path: String) throws(Failure) {
    let bytes = try bytes()
    let output = try FileOutput(path: path, replacing: true)
    try output.write(bytes.span)
    try output.commit()
  }

  private func binaryBytes(of file: BinaryPropertyList) throws(Failure) -> [UInt8] {
    if learned == nil { learned = try BinaryLayout.learned(from: file) }
    guard let (layout, taught) = learned else { return source.copy }
    // What the file does with its scalars decides about those that are new to it.
    list.sharedScalars = [:]
    var sharing = ScalarSharing(taught, in: list)
    list.sharedScalars = try sharing.shared(list.newScalars())
    defer { list.sharedScalars = [:] }
    let output = MemoryOutput()
    let final = try ObjectOrder(of: list, layout: layout, sharing: .settled)
    try BinaryObjects.write(final, of: list, layout: layout, to: output)
    return output.bytes
  }
}
