import Ferry

/// The text of a file while the user edits it, in a temporary file.
struct EditedText {
  let path: String
  private let file: String
  /// The name or the path of the edited file in a ZIP archive, if the user has named one.
  private let member: String?
  private let types: DocumentTypes
  /// The name of the file with the values, which may be in a ZIP archive.
  private let valuesName: String
  /// The file that errors name: the edited one, also in a ZIP archive.
  private let shownName: String
  /// The formats that document types declare.
  private let declaredFormats: DeclaredFormats
  /// The format that the user names, or nil to detect it.
  private let given: Format?
  private let encoding: String?
  private let expands: Bool
  /// The properties of CSV that the text does not show.
  private let csv: CSVReadingOptions
  private let budget: Budget
  /// The file before the edit.
  private(set) var stored: EncodedFile
  private var text: [UInt8]
  let format: Format

  init(
    _ file: String, member: String?, _ types: DocumentTypes, from given: Format?, encoding: String?,
    expands: Bool, csv: CSVReadingOptions, budget: Budget
  ) throws(NamedError) {
    (self.file, self.member, self.types, self.given) = (file, member, types, given)
    (self.encoding, self.expands) = (encoding, expands)
    (self.csv, self.budget) = (csv, budget)
    let values = try Self.read(file, member, types, from: given, encoding, budget)
    let (name, bytes) = (values.name, values.file.contents)
    (stored, valuesName, declaredFormats) = (values.file, name, values.declaredFormats)
    shownName = values.file.nameInArchive.map { "\(file)/\($0)" } ?? file
    (format, text) = try NamedError.naming(shownName) { () throws(FerryError) in
      let format =
        if let given { given } else {
          try Format.edited(
            bytes, named: name, declared: values.declaredFormats, expandingData: expands, budget: budget)
        }
      try csv.check(for: format)
      return (format, try Self.text(of: bytes, format, named: name, expands: expands, budget))
    }
    path = try EditedFile.make(for: name, isText: text == bytes, containing: text)
  }

  /// Reads the file again after another program has changed it, and shows the changes. The edited text does
  /// not change, so saving it again replaces the changes.
  mutating func takeCurrent() throws(NamedError) {
    let (file, format, expands, budget) = (file, format, expands, budget)
    let values = try Self.read(file, member, types, from: given, encoding, budget)
    let (name, bytes) = (values.name, values.file.contents)
    let current = try NamedError.naming(shownName) { () throws(FerryError) in
      try Self.text(of: bytes, format, named: name, expands: expands, budget)
    }
    TextDifference(from: text, to: current).lines(atMost: 40).forEach(StandardError.write)
    StandardError.write("\(file): saving your text again replaces these changes; it is in \(path)")
    (stored, text) = (values.file, current)
  }

  /// The decompressed bytes of the file before the edit.
  var original: [UInt8] { stored.contents }

  private static func read(
    _ file: String, _ member: String?, _ types: DocumentTypes, from given: Format?, _ encoding: String?,
    _ budget: Budget
  ) throws(NamedError) -> OpenedValues<EncodedFile> {
    try NamedError.naming(file) { () throws(FerryError) in
      if let member {
        return try types.storedFile(member, inArchive: file, encoding: encoding, budget: budget)
      }
      let zipped = types.zippedPackage(at: file, from: given, budget: budget)
      return try types.storedValues(of: file, in: zipped, from: given, encoding: encoding, budget: budget)
    }
  }

  /// Throws if the file is not text in UTF-8 or in the given encoding: the edited text could not be read either. Other errors in the text can
  /// be corrected in the editor.
  func checkEncoding() throws(NamedError) {
    guard text == original else { return }
    try NamedError.naming(shownName) { () throws(FerryError) in
      do throws(FerryError) {
        _ = try self.file(of: text)
      } catch {
        switch error.reason {
        case .content(.notUTF8), .content(.notInEncoding), .json(.notUTF8), .yaml(.notUTF8): throw error
        default: break
        }
      }
    }
  }

  /// True if the file can be written back without loss. The typed form has no comments and no layout, which a text may have.
  var keepsLayout: Bool {
    text == original || !format.isText || (try? file(ofTyped: text).bytes) == original || hasUsualLayout
  }

  /// True if the file is a property list in XML without comments, as programs write it. Only the order of keys of an archive
  /// may differ from the one that its objects get if they are archived again.
  private var hasUsualLayout: Bool {
    format.sortsKeys && (sortsKeys || (try? rewritten(sortsKeys: false)) == original)
  }

  /// True if the file has sorted keys, as Apple's XML property lists have.
  private var sortsKeys: Bool { format.sortsKeys && (try? rewritten(sortsKeys: true)) == original }

  /// Returns the file with the same property list in the usual layout.
  private func rewritten(sortsKeys: Bool) throws(FerryError) -> [UInt8] {
    var conversion = Conversion(to: .xmlPropertyList)
    (conversion.reading.format, conversion.reading.matchesSchemas) = (.xmlPropertyList, false)
    (conversion.writing.representation, conversion.writing.sortsKeys) = (.raw, sortsKeys)
    conversion.reading.budget = budget
    return try conversion.convert(original).bytes
  }

  /// Returns the text to edit: a text file unchanged, any other file in the typed form. If nested data is
  /// opened, every file is in the typed form.
  private static func text(
    of bytes: [UInt8], _ format: Format, named file: String, expands: Bool, _ budget: Budget
  ) throws(FerryError) -> [UInt8] {
    if format.isEditedAsText(expandingData: expands) { return bytes }
    guard !format.isArchiveOfFiles else { throw FerryError(.compression(.severalFiles)) }
    guard format.isEditedAsFile else { throw FerryError(.path(.notEditable(format, isInData: false))) }
    var typed = Conversion(to: .json)
    (typed.writing.representation, typed.writing.isPretty) = (.typed, true)
    typed.reading.format = format
    (typed.reading.expandsData, typed.reading.budget) = (expands, budget)
    return try typed.convert(bytes, named: file).bytes
  }

  /// True if the temporary file has the text as it was before the edit.
  var isUnchanged: Bool {
    guard let edited = try? FileInput(path: path).readAll() else { return false }
    return edited == text
  }

  /// A sentence that says where the user's text is.
  var whereabouts: String {
    Folder.hasSomething(at: path) ? "your text is in \(path)" : "the editor has removed your text"
  }

  /// A file that was made from an edited text, and the losses of the text in it.
  typealias Result = (bytes: [UInt8], losses: Losses)

  /// Returns the file for the edited text; nil if nothing was changed.
  func result() throws(NamedError) -> Result? {
    try NamedError.naming(path) { () throws(FerryError) in
      let edited = try FileInput(path: path).readAll()
      guard edited != text else { return nil }
      // An editor that fails may leave an empty file, which is valid in some formats.
      guard !format.isEmptyText(edited) else { throw FerryError(.file(.empty)) }
      let result = try self.file(of: edited)
      if given == nil {
        try format.checkStays(
          in: result.bytes, named: valuesName, declared: declaredFormats, budget: budget)
      }
      try format.checkObjects(in: result.bytes, since: original, expandingData: expands, budget: budget)
      return result
    }
  }

  /// Returns the file for an edited text.
  private func file(of edited: [UInt8]) throws(FerryError) -> Result {
    guard text == original else { return try file(ofTyped: edited) }
    // The edited text is the result. Reading it only checks it.
    var check = Conversion(to: format)
    check.writing.representation = format.hasTypedForm ? .typed : .plain
    // The typed form of values has no keys that are not strings, as YAML has them.
    if format.hasObjectKeys, try !format.isTypedDocument(edited, budget: budget) {
      check.writing.representation = .plain
    }
    (check.reading.format, check.reading.matchesSchemas) = (format, false)
    (check.reading.csv, check.reading.budget) = (csv, budget)
    _ = try check.convert(edited, named: valuesName)
    return (edited, LossReport().all)
  }

  /// Returns the file for a text in the typed form.
  private func file(ofTyped text: [UInt8]) throws(FerryError) -> Result {
    // Without the mark of the typed form, an archive would become a dictionary.
    let wasTyped = try Format.json.isTypedDocument(self.text, budget: budget)
    if wasTyped, try !Format.json.isTypedDocument(text, budget: budget) {
      throw FerryError(.typed(.missing("the key \"$ferry\"")), at: InputLocation(line: 1, column: 1))
    }
    var back = Conversion(to: format)
    (back.reading.format, back.reading.matchesSchemas, back.reading.budget) = (.json, false, budget)
    back.writing.representation = .raw
    back.writing.sortsKeys = sortsKeys
    do throws(FerryError) {
      let (bytes, report) = try back.convert(text)
      return (bytes, report.losses)
    } catch {
      throw format.explaining(ofEdit: error)
    }
  }

  /// Removes the temporary file.
  func remove() { EditedFile.remove(path) }
}
