// The names of copies and other outputs. An edit writes a copy in the format of the original; an extension of another format would hide
// that from people and programs. A conversion writes the format that it is given under any name, and says if the name hides it.

extension DocumentTypes {
  /// Throws if a name for a copy of a document has the extension of another kind of document. Any unknown
  /// extension may be used, and so may that of the original.
  ///
  ///     try types.checkName("b.bak", forCopyOf: "a.json", in: .json)
  ///     try types.checkName("b.plist", forCopyOf: "a.json", in: .json)         // throws
  ///     try types.checkName("b.json", forCopyOf: "A.mystuff", in: .archive)    // throws
  ///
  /// - Parameters:
  ///   - path: The path of the copy.
  ///   - original: The path of the document: a file, or a package.
  ///   - format: The format of the document's values.
  /// - Throws: A `FerryError` with the reason `DocumentProblem.otherKind`; or `PackageProblem.unknownType`, if the document is a folder
  ///   that is not a package.
  public func checkName(
    _ path: String, forCopyOf original: String, in format: Format
  ) throws(FerryError) {
    let package = Folder.isFolder(original) ? try type(ofPackage: original) : nil
    guard let kind = kind(ofExtensionOf: path) else { return }
    switch kind {
    case .package(let type): guard type != package else { return }
    case .file(let named):
      let isOfFile = format.mayHaveExtension(of: named) || Self.haveSameExtension(path, original)
      guard package != nil || !isOfFile else { return }
    }
    throw kind.mismatch(with: package.map { Kind.package($0).noun } ?? format.description.noun)
  }

  /// Throws if the name of a copy of a package in a ZIP archive is that of another kind of document. The copy is an archive, too.
  ///
  ///     Things.mystuff.zip, Copy.zip, Copy.mystuff, Copy.bak
  ///
  /// - Parameters:
  ///   - path: The path of the copy.
  ///   - original: The path of the archive.
  ///   - type: The type of the package.
  package func checkName(
    _ path: String, forCopyOfZipped original: String, of type: DocumentType
  ) throws(FerryError) {
    guard Compression.nameInsideZIP(path) == nil, !Self.haveSameExtension(path, original),
      let kind = kind(ofExtensionOf: path)
    else { return }
    if case .package(type) = kind { return }
    throw kind.mismatch(with: Kind.package(type).noun)
  }

  /// An output that keeps the bytes that `note(onName:of:beginning:encoding:)` needs.
  package static func headOutput(to output: any ByteOutput) -> HeadOutput {
    HeadOutput(to: output, upTo: FormatDetector.headSize)
  }

  /// Returns a note if a file, because of the extension of its name, is read in another format than that in which it was written, or not at
  /// all. Returns nil if the contents alone show a format, as property lists and most JSON do, and for an extension of no format or of text.
  ///
  ///     a: 1            YAML in t.csv, which is read as a table
  ///     {"a": 1}        JSON in t.csv, which is read as JSON
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - format: The format in which the file was written.
  ///   - head: The first bytes of the file, without compression.
  ///   - encoding: The encoding of the text, or nil for UTF-8.
  package func note(
    onName path: String, of format: Format, beginning head: [UInt8], encoding: String?
  ) -> Note? {
    guard !head.isEmpty, case .file(let named)? = kind(ofExtensionOf: path),
      !format.mayHaveExtension(of: named)
    else { return nil }
    func detected(named name: String?) -> Format? {
      try? Format.detect(
        head, named: name, given: declaredFormats.format(of: head, named: name), encoding: encoding)
    }
    let found = detected(named: path)
    let isRead = found.map { $0 == format || $0.description.otherReadFormats.contains(format) } ?? false
    guard !isRead, found == nil || found != detected(named: nil) else { return nil }
    return .otherExtension(
      of: named.description.noun, document: format.description.noun, usual: format.extensions.first)
  }

  /// Returns a note if a file with contents in a format is read in another one, as `note(onName:of:beginning:encoding:)`.
  package func note(onName path: String, of format: Format, contents: [UInt8]) -> Note? {
    note(
      onName: path, of: format, beginning: Array(contents.prefix(FormatDetector.headSize)), encoding: nil)
  }

  /// The kind of a document, as its name shows it.
  private enum Kind {
    case package(DocumentType)
    case file(Format)

    var noun: String {
      switch self {
      case .package(let type): "a package of type \(type.name)"
      case .file(let format): format.description.noun
      }
    }

    /// Returns the error about a document that is not of this kind, although the name of its copy shows it.
    func mismatch(with document: String) -> FerryError {
      FerryError(.document(.otherKind(extensionOf: noun, document: document)))
    }
  }

  /// Returns the kind of the documents with the extension of a file's name; nil if it is unknown.
  private func kind(ofExtensionOf path: String) -> Kind? {
    guard let type = type(ofFile: path) else { return Format.ofFile(named: path).map(Kind.file) }
    switch type.layout {
    case .package: return .package(type)
    case .file(let format): return .file(format)
    }
  }

  /// Returns true if two paths have the same extension.
  package static func haveSameExtension(_ path: String, _ other: String) -> Bool {
    FormatDetector.fileExtension(of: path).equals(FormatDetector.fileExtension(of: other))
  }
}

extension Format {
  /// Returns true if a file of this format may have the extension of another one, whose syntax it shares:
  /// `.plist` is that of all property lists, `.xml` of all XML, and `.txt` of all text.
  fileprivate func mayHaveExtension(of other: Format) -> Bool {
    if self == other { return true }
    let (own, wanted) = (description, other.description)
    if wanted.isArchive { return own.isArchive }
    if wanted.isBinaryPropertyList { return own.isBinaryPropertyList }
    if wanted.isPropertyList { return own.isPropertyList }
    if other.isSingle { return wanted.textEncoding != nil && isText }
    return isXML && other.isXML
  }
}
