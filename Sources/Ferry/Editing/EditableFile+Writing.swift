extension EditableFile {
  /// Returns the file's bytes with all changes; without changes, the original bytes.
  ///
  /// - Throws: An error if the format cannot represent a value.
  public func bytes() throws(FerryError) -> [UInt8] {
    guard !list.isUnchanged else { return source.copy }
    if let file = list.base as? BinaryPropertyList { return try binaryBytes(of: file) }
    guard let tree = list.base as? PropertyListTree else { return source.copy }
    return try TextEdits(of: list, over: tree, source: source.copy, format: format).bytes()
  }

  /// Writes the file, replacing the existing one as a whole or not at all. The mode is kept, and a symbolic
  /// link is followed.
  ///
  /// - Throws: An error of the system, or if the format cannot represent a value. The existing file is
  ///   unchanged in that case.
  public func write(to path: String) throws(FerryError) {
    let bytes = try bytes()
    let output = try FileOutput(path: path, replacing: true)
    try output.write(bytes.span)
    try output.commit()
  }

  private func binaryBytes(of file: BinaryPropertyList) throws(FerryError) -> [UInt8] {
    if learned == nil { learned = try BinaryLayout.learned(from: file) }
    guard let (layout, taught) = learned else { return source.copy }
    // The file's habits decide which of its new scalars share objects.
    list.sharedScalars = [:]
    var sharing = ScalarSharing(taught, in: list)
    list.sharedScalars = try sharing.shared(list.newScalars())
    defer { list.sharedScalars = [:] }
    let output = MemoryOutput()
    // A layout that no rule gives has a patch, which fits the unchanged file only.
    guard layout.patch == nil else {
      let kept = try KeptOrder(of: list, keeping: file)
      var objects = BinaryObjects(
        nodes: kept.nodes, numbers: kept.numbers, of: list, copyingFrom: file, layout: layout, to: output)
      try objects.write(sequence: kept.sequence)
      return output.bytes
    }
    let final = try ObjectOrder(of: list, layout: layout, sharing: .settled)
    try BinaryObjects.write(final, of: list, layout: layout, to: output)
    return output.bytes
  }
}
