extension DetectedInput {
  /// Opens a keyed archive, binary or XML. Returns nil for another property list and for other formats, and the input can be read again.
  func archive() throws(FerryError) -> ArchiveObjects? {
    guard format.description.isPropertyList else { return nil }
    try input.makeRewindable()
    if let nodes = try propertyList(), try nodes.isKeyedArchive { return try ArchiveObjects(nodes) }
    try input.rewind()
    return nil
  }
}
