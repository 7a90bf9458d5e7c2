// The names of copies. An edit writes a copy in the format of the original; an extension of another format
// would hide that from people and programs.

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
