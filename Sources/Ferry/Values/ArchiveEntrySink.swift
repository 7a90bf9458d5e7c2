/// A sink that also receives the entries that archives have beside their objects.
///
///     string("hi")                           // the value of an archive
///     beginArchiveEntries(isInData: false)
///       beginDictionary(1)  key("extra")  integer(5)  endDictionary
///     endArchiveEntries
protocol ArchiveEntrySink: ValueSink {
  /// True if the sink takes entries at this point of the stream.
  var takesArchiveEntries: Bool { get }
  /// Begins the entries of the archive whose value was the last one. A dictionary of them follows, then `endArchiveEntries`.
  ///
  /// - Parameter isInData: True if the archive is in data that was opened.
  func beginArchiveEntries(isInData: Bool) throws(FerryError)
  /// Ends the entries of an archive.
  func endArchiveEntries() throws(FerryError)
}

extension ArchiveEntrySink where Self: ForwardingSink {
  var takesArchiveEntries: Bool { (next as? any ArchiveEntrySink)?.takesArchiveEntries == true }
  func beginArchiveEntries(isInData: Bool) throws(FerryError) {
    try (next as? any ArchiveEntrySink)?.beginArchiveEntries(isInData: isInData)
  }
  func endArchiveEntries() throws(FerryError) { try (next as? any ArchiveEntrySink)?.endArchiveEntries() }
}

extension ArchiveEntrySink where Self: HeldKeys {
  // Entries in a key would be a second value of the key.
  var takesArchiveEntries: Bool { !isInKey && (next as? any ArchiveEntrySink)?.takesArchiveEntries == true }
}
