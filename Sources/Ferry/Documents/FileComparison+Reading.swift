// Reading of the files that are compared.

extension FileComparison {
  /// The value of a file.
  struct ReadFile {
    /// The value; nil for an empty file.
    var value: Value?
    /// True if the file may have archives with entries beside their objects, or with several roots, which the value does not show.
    var mayLeaveOutEntries = false
    /// The number of keys that occur twice in one dictionary.
    var repeatedKeys = 0
    /// True if texts of a database in the value are marked, because they are not UTF-8.
    var hasMarkedTexts = false
    /// The number of bytes from which the value was read.
    var byteCount = 0
  }

  // MARK: Options

  /// Returns the columns of a table whose types are inferred, or nil for another file.
  func columns(of file: File) -> [CSVFoundColumn]? {
    guard reading.csv.infersTypes, reading.schema == nil, !file.bytes.isEmpty, formats.count == 2,
      formats.allSatisfy(\.hasTypedColumns)
    else { return nil }
    // The error of a file is reported when its values are read.
    do throws(FerryError) {
      let detected = try DetectedInput(
        MemoryInput(file.bytes), named: file.name, given: reading.format,
        declared: declaredFormats(for: file), encoding: reading.encoding, budget: reading.budget,
        hasTableOptions: true)
      let source = try OpenedInput(detected, reading)
      return try source.format.description.columnTypes?(
        source.input, source.columnContext(reading, failed: nil))
    } catch {
      return nil
    }
  }

  /// True if there are options that files of some formats cannot have.
  var hasOptionsForSomeFormats: Bool {
    reading.csv != CSVReadingOptions() || reading.encoding != nil
  }

  /// Returns the format of a file, or nil for a file without one.
  func formatOrNil(of file: File) -> Format? {
    reading.format ?? (try? detectedFormat(of: file))
  }

  /// Returns the format of a file that its type declares, or that its content and its name show.
  private func detectedFormat(of file: File) throws(FerryError) -> Format {
    try Format.of(
      file.bytes, named: file.name, declared: declaredFormats(for: file),
      hasTableOptions: reading.csv.areGiven, budget: reading.budget)
  }

  private func declaredFormats(for file: File) -> DeclaredFormats {
    file.declaredFormat.map(DeclaredFormats.init(ofAllFiles:)) ?? types.declaredFormats
  }

  /// Returns the options for reading a file. The options for CSV, and the encoding of texts, are only for a file that can have them, unless
  /// neither file can: then they are refused.
  func options(for file: File) -> ReadingOptions {
    var options = reading
    options.declaredFormats = declaredFormats(for: file)
    options.csv.columnTypes = file.columnTypes
    // Data is opened when it is compared, if it differs.
    options.expandsData = false
    guard hasOptionsForSomeFormats, let format = formatOrNil(of: file) else { return options }
    if !format.hasTypedColumns, formats.contains(where: \.hasTypedColumns) {
      options.csv = CSVReadingOptions()
    }
    if !format.hasEncoding, formats.contains(where: \.hasEncoding) { options.encoding = nil }
    return options
  }

  // MARK: Entries of archives

  /// Returns true if a file is an archive, or has files that may be archives, whose entries beside the objects are compared.
  func mayHaveArchives(_ file: File) -> Bool {
    guard reading.representation == .plain, reading.select == nil, !file.bytes.isEmpty,
      let format = formatOrNil(of: file)
    else { return false }
    return format.isArchive || format.isArchiveOfFiles || document(of: file) != nil
  }

  /// Returns the archives in a file, with their entries beside their objects.
  func archiveEntries(
    of file: File, or failure: (FerryError) -> VersionError
  ) throws(VersionError) -> ArchiveEntries {
    try VersionError.of(failure) { () throws(FerryError) in
      let options = options(for: file)
      let detected = try DetectedInput(MemoryInput(file.bytes), named: file.name, options, opensArchive: true)
      return try OpenedInput(detected, options).archiveEntries(options)
    }
  }

  // MARK: Values

  /// Returns true if a file is not empty, or if an empty file of its format is a list or a dictionary, as in JSON Lines.
  func hasValue(_ file: File) -> Bool {
    guard file.bytes.isEmpty else { return true }
    switch try? value(of: [], named: file.name, reading.format, options(for: file)).value {
    case .array, .dictionary: return true
    default: return false
    }
  }

  /// Returns the formats of two files.
  func formats(of old: File, _ new: File) throws(VersionError) -> (old: Format?, new: Format?) {
    (try format(of: old, or: VersionError.old), try format(of: new, or: VersionError.new))
  }

  /// Returns the format of a file by its content; nil for a file without a value.
  private func format(of file: File, or failure: (FerryError) -> VersionError) throws(VersionError) -> Format?
  {
    try VersionError.of(failure) { () throws(FerryError) in
      if let format = reading.format { return format }
      return try !hasValue(file) ? nil : detectedFormat(of: file)
    }
  }

  /// Returns a file converted to the format of a way to compare it.
  ///
  /// - Parameter expandsData: True to convert the documents in data, too.
  func converted(
    _ file: File, by way: Way, expandsData: Bool = false, or failure: (FerryError) -> VersionError
  ) throws(VersionError) -> File {
    var reading = options(for: file)
    reading.expandsData = expandsData
    var conversion = Conversion(reading: reading, writing: WritingOptions(to: way.format))
    conversion.reading.schema = conversion.reading.schema ?? way.schema
    conversion.writing.representation = way.representation
    conversion.writing.xml = XMLWritingOptions(readWith: reading.xml)
    return try VersionError.of(failure) { () throws(FerryError) in
      let (bytes, report) = try conversion.convert(file.bytes, named: file.name)
      var converted = File(bytes, name: file.name)
      converted.repeatedKeys = report.losses.repeatedKeys
      return converted
    }
  }

  /// Reads the value of a file, which has been converted to another format if one is given. Nil for a file without a value: git
  /// passes an empty one for a file that is added or deleted.
  func read(_ file: File, as format: Format?, or failure: (FerryError) -> VersionError)
    throws(VersionError)
    -> ReadFile
  {
    try VersionError.of(failure) { () throws(FerryError) in
      let reading = options(for: file)
      if let format {
        var converted = try value(of: file.bytes, named: nil, format, reading)
        converted.repeatedKeys = max(converted.repeatedKeys, file.repeatedKeys)
        // The conversion has left them out.
        converted.mayLeaveOutEntries = true
        return converted
      }
      guard hasValue(file) else { return ReadFile() }
      return try value(of: file.bytes, named: file.name, reading.format, reading)
    }
  }

  private func value(
    of bytes: [UInt8], named name: String?, _ format: Format?, _ reading: ReadingOptions
  ) throws(FerryError) -> ReadFile {
    var options = reading
    options.format = format
    if name == nil {
      // A converted file has only the selected values, and its encoding and layout are from Ferry.
      (options.select, options.table, options.encoding) = (nil, nil, nil)
      options.csv = CSVReadingOptions()
      // Both files have types, or neither.
      options.csv.infersTypes = self.reading.csv.infersTypes && format?.hasTypedColumns == true
    }
    // A key with the JSON text of another key is not the same key.
    (options.marksShared, options.showsKeys, options.decodedForms) = (true, false, .all)
    (options.reportsArchiveParts, options.marksInvalidText) = (true, true)
    if ordersKeys { options.xml.order = .always }
    let (builder, losses) = (ValueBuilder(), LossReport(limit: 0))
    do throws(FerryError) {
      _ = try options.read(MemoryInput(bytes), named: name, into: builder, losses: losses)
    } catch {
      let found =
        format
        ?? (try? Format.of(bytes, named: name, declared: options.declaredFormats, budget: options.budget))
      throw found?.description.hasValuesInOrder == true ? error.placed(inOutput: builder.path) : error
    }
    // A collection that a property list shares between places is the same as its copies.
    return ReadFile(
      value: try builder.result().copyingCollections,
      mayLeaveOutEntries: losses.counts.contains { [.archiveEntry, .topLevelNames].contains($0.kind) },
      repeatedKeys: max(builder.repeatedKeyCount, losses.all.repeatedKeys),
      hasMarkedTexts: losses.counts.contains { $0.kind == .invalidText }, byteCount: bytes.count)
  }
}
