/// A detector of the format of an input, from its first bytes and then from its file extension.
///
///     bplist00…                        plist-binary, or archive (which only the objects show)
///     04 0B streamtyped…               typedstream
///     SQLite format 3…                 sqlite
///     <?xml …?><plist>…                plist-xml, or archive-xml if it has a key of archives (which only
///                                      the objects confirm)
///     <people>…                        xml
///     {"a": 1}                         json
///     {"a": 1} ⏎ {"a": 2}              jsonl
///
/// The signatures of the formats are checked in the order of their ranks.
struct FormatDetector {
  /// The number of first bytes that detection needs.
  static let headSize = FormatHead.size

  private let head: FormatHead
  /// True if options for tables are given, which decide for an input without a name whose content may be a table.
  private let hasTableOptions: Bool

  /// Creates a detector for the first bytes of an input.
  init(head: [UInt8], name: String?, hasTableOptions: Bool = false) {
    (self.head, self.hasTableOptions) = (FormatHead(head, name: name), hasTableOptions)
  }

  /// Returns the extension of a file name in lowercase, or nil if there is none. The extension of a compression does not
  /// count: that of `people.xml.gz` is `xml`.
  static func fileExtension(of name: String) -> String? {
    usualExtension(of: name) ?? shownExtension(of: name)
  }

  /// Returns the extension of most names, which are not divided: an extension after a name that no compression and no slash follows. Returns
  /// nil for other names.
  private static func usualExtension(of name: String) -> String? {
    guard let fileExtension = Compression.dividedAtExtension(name)?.fileExtension,
      !fileExtension.utf8.contains(UInt8(ascii: "/")), Compression.ofExtension(fileExtension) == nil
    else { return nil }
    return fileExtension
  }

  /// Returns the extension of any name.
  private static func shownExtension(of name: String) -> String? {
    Compression.dividedAtExtension(SystemPath.name(of: Compression.nameInside(name)))?.fileExtension
  }

  /// Returns the name of a hidden file in lowercase without its first period, `env` for `.env`; nil for a name with an extension or without a period.
  static func nameOfHiddenFile(_ name: String) -> String? {
    let name = SystemPath.name(of: Compression.nameInside(name))
    return name.utf8.lastIndex(of: UInt8(ascii: ".")) == name.startIndex ? name.dropFirst().lowercased() : nil
  }

  /// Returns the format. Throws an error that names the kind of file if Ferry cannot read it.
  func detect() throws(FerryError) -> Format {
    let format = hasTableOptions && !head.isNamed ? try formatOrTable() : try shownFormat()
    let description = format.description
    // Texts in other formats may be valid with NULs, or are read as far as they are without errors.
    guard description.textEncoding != nil, !description.hasNULs, !description.leavesOutRecords,
      !format.isSingle, let tail = head.zeroTail
    else { return format }
    throw FerryError(.file(.zeroRun), at: tail)
  }

  /// Returns the format of an input without a name for which options for tables are given: a table if the content may be one.
  private func formatOrTable() throws(FerryError) -> Format {
    do throws(FerryError) {
      let format = try shownFormat()
      return format.description.textEncoding != nil && head.isTableByOptions ? .csv : format
    } catch {
      guard case .file(.unknownFormat(let likely)) = error.reason, likely == nil || likely == .csvTable,
        head.hasOnlyText
      else { throw error }
      return .csv
    }
  }

  private func shownFormat() throws(FerryError) -> Format {
    if let format = format(ranked: .name) { return format }
    guard !head.bytes.isEmpty else { return try formatOfEmptyFile() }
    if let format = format(ranked: .bytes) { return format }
    try refuse(.firstBytes)
    try refuse(.firstLine)
    guard head.first != nil else { return try head.isWhole ? formatOfEmptyFile() : formatAfterSpace() }
    if let format = format(ranked: .entries) { return format }
    try refuse(.firstLines)
    if head.isCommentedJSONText { throw FerryError(.json(.comments)) }
    for rank in [FormatSignature.Rank.dialect, .language] {
      if let format = format(ranked: rank) { return format }
    }
    // No signature matches. The extension is trusted only if files of its format may lack the signature.
    if let format = head.formatOfExtension {
      let isText = format.description.textEncoding != nil
      let isOptional = format.description.signature.isOptional
      // Any bytes may be a file of a binary format.
      if isText || !isOptional { try refuse(.controls) }
      if isOptional { return format }
    }
    try refuse(.noFormat)
    throw FerryError(.file(.unknownFormat(likely: head.likelyFormat)))
  }

  /// Returns the format that first bytes alone determine, or nil.
  static func formatShown(by head: [UInt8]) -> Format? {
    FormatDetector(head: head, name: nil).format(ranked: .bytes)
  }

  /// Returns the format that the extension of an empty file names.
  private func formatOfEmptyFile() throws(FerryError) -> Format {
    guard let format = head.formatOfExtension, format.description.canBeEmpty else {
      throw FerryError(.file(.empty))
    }
    return format
  }

  /// Returns the format that the file extension names, for a text with more white space at its beginning than the detector reads.
  private func formatAfterSpace() throws(FerryError) -> Format {
    guard let format = head.formatOfExtension, format.description.textEncoding != nil else {
      throw FerryError(.file(.unknownFormat(likely: nil)))
    }
    return format
  }

  private func format(ranked rank: FormatSignature.Rank) -> Format? {
    for (format, signature) in Self.signaturesByRank[rank.rawValue] where signature.matches(head) {
      return format
    }
    return nil
  }

  /// The signatures of all formats, because the description of a format is large to copy.
  private static let signatures = Format.allCases.map { (format: $0, signature: $0.description.signature) }
  private static let signaturesByRank = FormatSignature.Rank.allCases.map { rank in
    signatures.filter { $0.signature.rank == rank }
  }

  /// Returns true if a file is read in the format that its document type declares.
  ///
  /// Formats that the first bytes show are always detected, because these bytes also show their relatives: a binary property list in place of
  /// one in XML. Any other format is that of the file unless the first bytes are those of another one.
  func allows(_ declared: Format) -> Bool {
    let signature = declared.description.signature
    guard signature.isOptional || signature.proof != .firstBytes else { return false }
    if declared.canHaveAnyBytes { return true }
    guard !Self.recognizesFirstBytes(head) else { return false }
    guard signature.rank != .name else { return true }
    guard head.first != nil else { return declared.description.canBeEmpty }
    return !Self.signatures.contains {
      $0.format != declared && $0.signature.proof == .firstBytes && $0.signature.matches(head)
    }
  }

  /// Returns true if the first bytes alone determine the format, or the kind of a file that Ferry cannot read.
  static func recognizesFirstBytes(_ head: FormatHead) -> Bool {
    signatures.contains { $0.signature.rank == .bytes && $0.signature.matches(head) }
      || OtherKind.kind(of: head, by: .firstBytes) != nil
  }

  /// Returns the kind of a file that is not of the format as which it was read; nil if it may be of this format, or of another one that Ferry
  /// reads.
  static func unreadKind(of head: FormatHead, readAs format: Format) -> OtherKind? {
    if let kind = OtherKind.kind(of: head, by: .firstBytes) { return kind }
    let (signature, hasNULs) = (format.description.signature, format.description.hasNULs)
    let isOfFormat = hasNULs || signature.proof != .name && signature.matches(head)
    return isOfFormat || recognizesFirstBytes(head) ? nil : OtherKind.kind(of: head, by: .controls)
  }

  private func refuse(_ proof: OtherKind.Proof) throws(FerryError) {
    if let error = OtherKind.error(of: head, by: proof) { throw error }
  }
}

extension Format {
  /// Returns an error that names the format of a file, and says that it is not supported, if the first bytes alone determine a format other
  /// than those of property lists.
  package static func refusal(ofPropertyListThatBegins head: [UInt8]) -> FerryError? {
    if SignedData.begins(head) { return OtherKind.error(of: FormatHead(head, name: nil), by: .firstBytes) }
    guard let format = FormatDetector.formatShown(by: head), format.description.archiveFormat == nil,
      !format.description.isKeyedArchive
    else { return nil }
    return FerryError(.file(.otherKind(format.description.noun)))
  }

  /// Returns the format with the extension of a file name, or nil if there is none: `people.pplgrp` is an
  /// archive.
  public static func ofFile(named name: String) -> Format? {
    FormatDetector.fileExtension(of: name).flatMap(Format.init(fileExtension:))
  }

  /// Returns true if a file name has the extension of property lists or archives.
  package static func isPropertyList(named name: String) -> Bool {
    guard let format = ofFile(named: name) else { return false }
    return format.isArchive || format.description.isPropertyList
  }

  init?(fileExtension: String) {
    guard let format = Self.allCases.first(where: { $0.extensions.contains(fileExtension) }) else {
      return nil
    }
    self = format
  }
}

extension ByteInput {
  /// Returns the format of the file, detected from its first bytes and its name. It is that of the contents of a compressed or signed file, or of a
  /// ZIP archive with one file.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - declared: The formats that document types declare.
  ///   - budget: The limits of a compressed file.
  /// - Throws: A `FerryError` with the reason `FileProblem.empty`, `unknownFormat` or `otherKind` if Ferry cannot read the file or if it
  ///   is a single text or picture, which holds no records, or a page of HTML, which is rarely XML.
  package func formatOfValues(
    named name: String, declared: DeclaredFormats = DeclaredFormats(), budget: Budget
  ) throws(FerryError) -> Format {
    let head = try peek(upTo: FormatDetector.headSize)
    guard Compression.of(head) != nil || SignedData.begins(head) || ZIPArchive.begins(head) else {
      let format = try Format.detect(head, named: name, given: declared.format(of: head, named: name))
      try format.checkHoldsRecords(head)
      return format
    }
    let detected = try DetectedInput(
      self, named: name, given: nil, declared: declared, budget: budget, opensArchive: true)
    try detected.format.checkHoldsRecords(detected.head)
    return detected.format
  }
}

extension Format {
  /// Throws if a file of the format, of which the first bytes are given, is a single text or picture or a page of HTML.
  func checkHoldsRecords(_ head: [UInt8]) throws(FerryError) {
    guard !isSingle else { throw FerryError(.file(.otherKind(description.noun))) }
    guard !isOfElements || !Self.isHTML(head) else { throw FerryError(.file(.otherKind("HTML"))) }
  }

  /// Returns true if a file begins as pages of HTML do.
  private static func isHTML(_ head: [UInt8]) -> Bool {
    head.prefix(15).map { $0 | 0x20 }.elementsEqual("<!doctype html>".utf8.map { $0 | 0x20 })
  }
}
