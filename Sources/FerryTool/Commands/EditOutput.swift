import Ferry

/// The output of an edit: the edited document itself, or a copy of the same kind.
struct EditOutput {
  private enum Destination {
    /// The edited document: the file with its values.
    case inPlace(String)
    /// Another file, or the standard output.
    case file(String)
    /// Another package, which gets all files of the edited one.
    case package(String)
  }

  /// The file with the values of the document.
  let main: String
  /// The document.
  private let name: String
  /// The document types.
  let types: DocumentTypes
  /// The edited document, if it is a package in a ZIP archive.
  private let zipped: ZippedPackage?
  private let isForced: Bool
  private let destination: Destination

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - format: The format that the user gave, or nil. With a format, no ZIP archive is a package.
  ///   - others: The other files that the command reads, apart from those with document types.
  /// - Throws: An error if a copy would replace one of these files, or be inside the edited package.
  init(
    of name: String, _ options: EditOptions, _ types: TypeOptions, from format: Format? = nil,
    reading others: [OptionFile] = [], budget: Budget
  ) throws(NamedError) {
    (self.name, isForced, self.types) = (name, options.force, try types.load())
    zipped = self.types.zippedPackage(at: name, from: format, budget: budget)
    main = try types.mainFile(of: name)
    destination = Self.destination(of: name, main: main, options)
    switch destination {
    case .inPlace: break
    case .file(let output), .package(let output):
      let isPackage = if case .package = destination { true } else { false }
      try NamedError.naming(output: output) { () throws(FerryError) in
        try RunOutputs.check(output, isOutside: name)
        try RunOutputs.check(
          output, replacesNoneOf: [], others + types.optionFiles, isPackage: isPackage)
      }
    }
  }

  private static func destination(of name: String, main: String, _ options: EditOptions) -> Destination {
    let isPackage = !main.equals(name)
    guard let output = options.output else { return name == "-" ? .file(name) : .inPlace(main) }
    let isItself = output.equals(name) || options.force && Folder.isSame(name, output)
    guard isItself, output != "-" else { return isPackage ? .package(output) : .file(output) }
    // A file may have several names; the given one is replaced.
    return .inPlace(isPackage ? main : output)
  }

  /// Begins an edit in place; nil for a copy.
  func begin(_ beginning: InPlaceEdit.Beginning) throws(NamedError) -> InPlaceEdit? {
    guard case .inPlace(let path) = destination, Folder.isSame(main, path) else { return nil }
    return try NamedError.naming(name) { () throws(FerryError) in
      try InPlaceEdit(of: path, among: types, beginning: beginning)
    }
  }

  // MARK: Checks

  /// Throws if the name of a copy is that of another kind of document, because an edit does not convert.
  func check(_ format: Format) throws(NamedError) {
    switch destination {
    case .inPlace: break
    case .package("-"):
      throw NamedError(name: NamedOutput.standardName, error: FerryError(.package(.needsPath)))
    case .file(let path), .package(let path):
      try NamedError.naming(output: path) { () throws(FerryError) in
        guard let zipped else { return try types.checkName(path, forCopyOf: name, in: format) }
        try types.checkName(path, forCopyOfZipped: name, of: zipped.type)
      }
    }
  }

  /// Throws if the document could not be written, such as a copy over an existing file without `--force`. Writes nothing.
  func checkWriting() throws(NamedError) {
    switch destination {
    case .file("-"): break
    case .inPlace(let path):
      try NamedError.naming(output: path) { () throws(FerryError) in
        try FileOutput.check(path, replacing: true)
      }
    case .file(let path):
      try NamedError.naming(output: path) { () throws(FerryError) in
        try FileOutput.check(path, replacing: isForced)
      }
    case .package(let path):
      try NamedError.naming(output: path) { () throws(FerryError) in
        try DocumentPackage.check(path, replacing: isForced)
      }
    }
  }

  /// Returns notes on the effects of an edit. Throws if the document would no longer be of its type.
  func check(_ bytes: [UInt8], of original: [UInt8]) throws(NamedError) -> [Note] {
    let path =
      switch destination {
      case .inPlace(let path), .file(let path): path
      // The copy has the files of the edited package.
      case .package: main
      }
    let records =
      if let zipped {
        EditedRecords(bytes, in: zipped, of: original)
      } else {
        EditedRecords(bytes, at: path, of: (main, original), among: types)
      }
    let isInPlace = if case .inPlace = destination { true } else { false }
    try records.check(named: name, isForced: isForced, isCopy: !isInPlace)
    return records.notes
  }

  // MARK: Writing

  /// Returns the bytes of the document as they are written.
  ///
  /// - Throws: An error with the name of the edited file, if its encoding does not have all characters, or if it is signed.
  func encoded(_ contents: [UInt8], as stored: EncodedFile) throws(NamedError) -> [UInt8] {
    try NamedError.naming(name) { () throws(FerryError) in
      switch destination {
      case .file("-"): try stored.bytes(ofCopyWith: contents)
      case .file(let path): try stored.bytes(with: contents, forCopyNamed: path)
      case .inPlace, .package: try stored.bytes(with: contents)
      }
    }
  }

  /// Writes the document, within an edit if it is in place. It keeps the compression of the edited file, unless the name of
  /// a copy shows another.
  func write(_ contents: [UInt8], as stored: EncodedFile, in edit: InPlaceEdit?) throws(NamedError) {
    let bytes = try encoded(contents, as: stored)
    switch destination {
    case .inPlace(let path): try NamedOutput.put(stored: bytes, at: path, replacing: true, in: edit)
    case .file(let path): try NamedOutput.put(stored: bytes, at: path, replacing: isForced)
    case .package(let path): try PackageCopy(of: name, main: main).write(bytes, to: path, replacing: isForced)
    }
  }
}
