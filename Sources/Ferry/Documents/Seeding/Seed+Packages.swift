// Seeds of packages, in which one file holds the records, and the records name the other files.

extension Seed {
  /// Creates the package at a path. The files that records name come from the records themselves or from the
  /// folder of attachments. Returns nil if the path has been taken meanwhile.
  func make(
    packageAt path: String, of type: DocumentType, _ bytes: [UInt8], _ losses: LossReport
  ) throws(SeedError) -> Outcome? {
    let (package, records, _) = try contents(of: type, bytes, for: path, losses)
    let isPut = try isNew { () throws(FerryError) in
      try type.check(package, classNames: classNames)
      try package.write(to: path)
    }
    return isPut ? .made(count: records.records?.count) : nil
  }

  /// Returns the data as a package, the records as they are in the package's main file, and the shape of the data.
  private func contents(
    of type: DocumentType, _ bytes: [UInt8], for path: String, _ losses: LossReport
  ) throws(SeedError) -> (package: DocumentPackage, records: RecordDocument, dataShape: RecordShape) {
    guard case .package(let main, let format, _) = type.layout else {
      throw SeedError(isAboutData: false, error: FerryError(.package(.notAPackage)))
    }
    // The data is first read without the files, so that its errors have source locations.
    let data = try checked(try read(bytes, as: RecordShape(format), for: path), format)
    return try self.data { () throws(FerryError) in
      var conversion = Conversion(to: format)
      (conversion.reading.schema, conversion.reading.format) = (schema, sourceFormat)
      conversion.reading.matchesSchemas = matchesSchemas
      conversion.reading.declaredFormats = types.declaredFormats
      (conversion.classNames, conversion.reading.budget) = (classNames, budget)
      let folder = attachments ?? Folder.containing(source)
      let (package, report) = try conversion.package(of: type, from: MemoryInput(bytes), named: source) {
        name throws(FerryError) in try Folder.file(name, in: folder)
      }
      losses.add(report.losses)
      var reading = files(for: path)
      (reading.source, reading.declared) = (nil, DeclaredFormats(ofAllFiles: format))
      let records = try reading.read(package.bytes(of: main) ?? [], named: main, mapping: .onlyOfText)
      return (package, records, data.shape)
    }
  }

  func add(
    _ bytes: [UInt8], toPackage path: String, of type: DocumentType, _ losses: LossReport
  ) throws(SeedError) -> Outcome {
    guard case .package(let main, let format, let files) = type.layout else { return .exists }
    var reading = self.files(for: path)
    (reading.source, reading.declared) = (nil, DeclaredFormats(ofAllFiles: format))
    var (package, present) = try document { () throws(FerryError) in
      let package = try DocumentPackage(reading: path, budget: budget)
      guard let bytes = try package.bytes(of: main) else { throw FerryError(.package(.noMainFile(main))) }
      return (package, try reading.read(bytes, named: main, mapping: .onlyOfText))
    }
    let seedLosses = LossReport()
    let (seed, data, shape) = try contents(of: type, bytes, for: path, seedLosses)
    var missing = try missing(from: present, of: data, readAs: shape, reading)
    guard !missing.keys.isEmpty else { return .added([]) }
    losses.add(lossesInRecords(seedLosses.all, addedTo: present))
    // A package of XML has the texts of the data, from which its records are read once more: 007 becomes 7.
    losses.add(lossesInRecords(data.losses, addedTo: present))
    try document { () throws(FerryError) in
      try type.check(missing.records, classNames: classNames)
      if let fields = FileFields(data.schema, named: files) {
        for index in missing.records.indices {
          try take(&missing.records[index], fields.archiveKey, from: seed, into: &package)
        }
      }
      let bytes = try reading.adding(
        missing.records, of: data, in: missing.classes, to: present, losses: losses)
      package.set(bytes, named: main)
      try package.write(to: path, replacing: true)
    }
    return .added(missing.keys)
  }

  /// Moves a record's file from the seed into a package, under a new name if its name is taken.
  private func take(
    _ record: inout Value, _ key: String, from seed: DocumentPackage, into package: inout DocumentPackage
  ) throws(FerryError) {
    guard case .string(let name)? = record[key]?.scalar, let bytes = try seed.bytes(of: name) else { return }
    guard let other = try package.bytes(of: name) else { return package.set(bytes, named: name) }
    guard other != bytes else { return }
    record = record.withEntry(key, .string(package.add(bytes, preferredName: name)))
  }
}
