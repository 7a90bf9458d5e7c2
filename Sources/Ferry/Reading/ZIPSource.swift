/// A source that sends the files of a ZIP archive by their names.
///
///     {"document.json": {…}, "pages/6CA6….json": {…}, "previews/preview.png": data}
///
/// A file in a format of values is sent as these values, and a text as a string. Every other file is data.
struct ZIPSource {
  private let archive: ZIPArchive
  private let options: ReadingOptions
  private let losses: LossReport
  /// The path of the archive, which errors name; nil for bytes in memory.
  private let path: String?

  init(_ archive: ZIPArchive, at path: String?, _ options: ReadingOptions, _ losses: LossReport) {
    (self.archive, self.path, self.options, self.losses) = (archive, path, options, losses)
  }

  func send(into sink: any ValueSink) throws(FerryError) {
    try sink.beginDictionary(count: archive.members.count)
    for member in archive.members {
      try sink.key(BorrowedText(member.name.utf8.span))
      do throws(FerryError) {
        try send(archive.input(of: member), named: member.name, into: sink, losses(inFile: member.name))
      } catch {
        throw error.placed(under: .key(member.name)).placed(inFile: member.name, ofArchive: path)
      }
    }
    try sink.endDictionary()
  }

  /// Returns the report for a file. The losses of values have the paths in the archive.
  private func losses(inFile name: String) -> LossReport {
    LossReport(to: losses, keepsLocations: false) { path in
      path.isEmpty ? path : ValuePath([.key(name)] + path.steps)
    }
  }

  private func send(
    _ input: any ByteInput, named name: String, into sink: any ValueSink, _ losses: LossReport
  ) throws(FerryError) {
    guard let (opened, options) = try open(input, named: name) else {
      let data = try input.readAll(upToTokenOf: options.budget)
      return try sink.data(data.span)
    }
    try opened.send(into: sink, options, losses: losses)
  }

  /// Opens a file in a format of values. Returns nil for any other file.
  private func open(
    _ input: any ByteInput, named name: String
  ) throws(FerryError) -> (OpenedInput, ReadingOptions)? {
    let detected = try DetectedInput.ofValues(
      input, named: name, declared: options.declaredFormats, budget: options.budget)
    guard let detected else { return nil }
    var options = ReadingOptions()
    (options.budget, options.catalog, options.decodedForms) = (
      self.options.budget, self.options.catalog, .all
    )
    (options.xml, options.encoding) = (self.options.xml, self.options.encoding)
    options.xml.refusesOtherFormats = false
    options.readsTypedText = self.options.readsTypedText
    // The identities of objects in two files would be the same.
    options.objectSharing = .inFull
    return (try OpenedInput(detected, options), options)
  }

  /// Returns the archives among the files, with their entries beside their objects.
  func archiveEntries() throws(FerryError) -> ArchiveEntries {
    var entries = ArchiveEntries()
    for member in archive.members {
      do throws(FerryError) {
        guard let (opened, options) = try open(archive.input(of: member), named: member.name) else {
          continue
        }
        entries.add(try opened.archiveEntries(options), inFile: member.name)
      } catch {
        throw error.placed(under: .key(member.name)).placed(inFile: member.name, ofArchive: path)
      }
    }
    return entries
  }
}
