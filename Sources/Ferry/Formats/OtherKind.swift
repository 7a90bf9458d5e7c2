/// A kind of file that Ferry cannot read, but recognizes to name it in an error.
struct OtherKind: Sendable {
  /// The proof that a file is of a kind.
  enum Proof: Int, CaseIterable {
    /// The first bytes, whatever the name of the file and its given format.
    case firstBytes
    /// The first line of a text that is not plain text.
    case firstLine
    /// The first lines of a text with an extension of the kind, or without one of a format. Texts in some formats that are detected later have
    /// similar first lines.
    case firstLines
    /// The first bytes of a file that would be read as a text.
    case controls
    /// The first bytes of a file that is of no format.
    case noFormat
    /// The first lines of a text that is invalid in its format. Its error names the kind after the problem.
    case likeness
  }

  /// The name of the kind with an article: "a JPEG image".
  let name: String
  /// Advice on how to get a file that Ferry reads, such as "bzip2 -dc decompresses it"; nil if there is none.
  let advice: String?
  /// The proof that a file is of the kind.
  let proof: Proof
  /// The bytes with which a file of the kind begins; nil if it may begin with others.
  private var firstBytes: [UInt8]?
  /// Returns the location in a file of the kind that shows the kind, or an empty one; nil for a file of another kind.
  private let location: @Sendable (FormatHead) -> InputLocation?

  /// The problem of a file of this kind.
  var problem: FileProblem { .otherKind(name, advice: advice) }

  /// Returns true if a file is of this kind.
  func matches(_ head: FormatHead) -> Bool { location(head) != nil }

  /// Returns the error for a file whose kind has this proof, or nil.
  static func error(of head: FormatHead, by proof: Proof) -> FerryError? {
    for kind in kinds(of: head, by: proof) {
      if let location = kind.location(head) { return FerryError(.file(kind.problem), at: location) }
    }
    return nil
  }

  /// Returns the kind that a file has by this proof, or nil.
  static func kind(of head: FormatHead, by proof: Proof) -> OtherKind? {
    kinds(of: head, by: proof).first { $0.matches(head) }
  }

  private init(
    _ name: String, by proof: Proof, advice: String? = nil,
    location: @escaping @Sendable (FormatHead) -> InputLocation?
  ) {
    (self.name, self.proof, self.advice, self.location) = (name, proof, advice, location)
  }

  private init(
    _ name: String, by proof: Proof = .firstBytes, advice: String? = nil,
    _ matches: @escaping @Sendable (FormatHead) -> Bool
  ) {
    self.init(name, by: proof, advice: advice, location: { matches($0) ? InputLocation() : nil })
  }

  private init(_ name: String, advice: String? = nil, _ signatures: FileSignature...) {
    self.init(name, advice: advice) { head in signatures.contains { $0.begins(head.bytes) } }
    let firstBytes = signatures.compactMap(\.bytes.first)
    self.firstBytes = firstBytes.count == signatures.count ? firstBytes : nil
  }

  /// The kind of a text that begins with the mark of a conflict. No other text begins with this mark.
  static let conflict = OtherKind(
    "a text with a conflict of a merge", by: .firstLine, advice: "resolve the conflict first"
  ) { ConflictMark($0.bytes.span) == .start }

  private static let notWritten = "it was not written completely; restore it from a copy"
  private static let sections = "a TOML or INI file"
  private static let entries = "a text of entries, as in TOML, INI and .env files"

  /// The extensions of TOML and INI files, whose entries may lack a value.
  private static let settingsNames = ["toml", "ini", "editorconfig", "cfg", "conf"]

  private static let allByProof = Proof.allCases.map { proof in all.filter { $0.proof == proof } }
  /// The kinds that the first bytes show, by the first byte of a file.
  private static let allByFirstByte = (UInt8.min ... .max).map { byte in
    allByProof[Proof.firstBytes.rawValue].filter { $0.firstBytes?.contains(byte) ?? true }
  }

  /// Returns the kinds that a file may have by a proof.
  private static func kinds(of head: FormatHead, by proof: Proof) -> [OtherKind] {
    guard proof == .firstBytes, let first = head.bytes.first else { return allByProof[proof.rawValue] }
    return allByFirstByte[Int(first)]
  }

  /// All kinds. The first one that matches by a proof is the kind of a file.
  private static let all = [
    OtherKind("a PNG image", .damagedPNG),
    OtherKind("a JPEG image", .jpeg),
    OtherKind("a GIF image", .gif),
    OtherKind("a TIFF image", .tiff, .bigEndianTIFF),
    OtherKind("a HEIC image", .heic),
    OtherKind("a WebP image", .webp),
    OtherKind("an icon", .icns),
    OtherKind("a PDF document", .pdf),
    OtherKind("a bookmark", .bookmark),
    OtherKind("bzip2 data", advice: "bzip2 -dc decompresses it", .bzip2, .emptyBzip2),
    OtherKind("lz4 data", advice: "lz4 -dc decompresses it", .lz4),
    OtherKind("a Java class") { $0.isJavaClass },
    OtherKind("a program", .elf, .machO, .machO64, .bigEndianMachO, .bigEndianMachO64, .universalMachO),
    OtherKind("a program") { $0.isWindowsProgram },
    OtherKind(
      "signed CMS data", advice: "openssl smime -verify -inform der -noverify -in FILE writes its contents"
    ) { SignedData.begins(Array($0.bytes.prefix(32))) },
    OtherKind("a GNUstep archive", advice: "GNUstep's NSArchiver wrote it", .gnustepArchive),
    OtherKind("a Git LFS pointer", advice: "run git lfs pull to get its file") { $0.isGitLFSPointer },
    OtherKind(
      "a file of nothing but zero bytes", advice: notWritten
    ) { $0.bytes.count >= 4 && $0.bytes.allSatisfy { $0 == 0 } },
    OtherKind("a file of one byte and zero bytes after it", advice: notWritten) { $0.isByteBeforeZeros },
    conflict,
    OtherKind(
      "Markdown", by: .firstLine, advice: "only its front matter, between the lines ---, is YAML"
    ) { $0.isMarkdownWithFrontMatter },
    OtherKind(sections, by: .firstLines) { $0.hasSections || $0.isConfiguration(named: settingsNames) },
    OtherKind(entries, by: .firstLines) { $0.isConfiguration(named: ["env", "properties"]) },
    OtherKind(
      "a binary file of an unknown kind", by: .controls, advice: "the command \"file\" may name it"
    ) { $0.looksBinary },
    OtherKind(sections, by: .noFormat) { $0.beginsWithSection },
    OtherKind(
      conflict.name, by: .noFormat, advice: conflict.advice,
      location: { ConflictScan.beginning(ofConflictIn: $0).map { InputLocation(line: $0, column: 1) } }),
    OtherKind(entries, by: .noFormat) { $0.hasOnlyEntries(isOneEnough: true) },
    OtherKind(sections, by: .likeness) {
      $0.beginsWithSection || $0.beginsWithSectionOfWords
        || !$0.isNamedPropertyList && $0.hasOnlyEntries(isOneEnough: false)
    },
  ]
}

extension FormatHead {
  /// True if the text is a pointer of Git LFS, which has the hash of a file in place of the file.
  fileprivate var isGitLFSPointer: Bool {
    bytes.starts(with: "version https://git-lfs.github.com/".utf8)
      && bytes.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "oid sha256:".utf8) }
  }

  /// True if many of the first bytes are control characters, which texts do not have.
  fileprivate var looksBinary: Bool {
    // Zero bytes after a text are damage, which its reader reports.
    let first = bytes[..<endOfContent].prefix(1024)
    let count = first.count { byte in
      // White space, escapes and separators are in texts, and so are the tabulator and the line end of EBCDIC.
      byte < 0x1b && !(0x08...0x0d).contains(byte) && byte != 0x05 && byte != 0x15
    }
    return count >= 8 && count * 25 >= first.count
  }

  /// True if the file has the extension of Markdown and begins with front matter.
  fileprivate var isMarkdownWithFrontMatter: Bool {
    (fileExtension == "md" || fileExtension == "markdown") && bytes[start...].starts(with: "---".utf8)
  }

  /// True if the first lines that are not comments are sections `[name]` and then an entry `key = value`, and the file has no extension of a
  /// format.
  fileprivate var hasSections: Bool { formatOfExtension == nil && beginsWithSection }

  /// Returns true for a text that has one of some names as its extension, or after its first period as `.env`, and is neither JSON nor a
  /// property list nor markup. The extensions `cfg` and `conf` are also those of files in other syntaxes, without sections and entries.
  fileprivate func isConfiguration(named names: [String]) -> Bool {
    guard let name = fileExtension ?? hiddenName, names.contains(name), let first, hasOnlyText,
      !"{(</".utf8.contains(first)
    else { return false }
    let lines = contentLines
    if first == UInt8(ascii: "[") {
      guard lines.first.map(Self.isLineInBrackets) == true else { return false }
    } else if ["cfg", "conf"].contains(name) {
      guard lines.first(where: { !Self.isSection($0) }).map(Self.isEntry) ?? true else { return false }
    }
    return !canBeReadAsJSON && !isWholeOpenStepDictionary
  }

  /// True if the first lines that are not comments are a section `[name]` and a line that begins with a letter.
  fileprivate var beginsWithSectionOfWords: Bool {
    guard first == UInt8(ascii: "["), hasOnlyText else { return false }
    let lines = contentLines.prefix(2)
    return lines.count == 2 && lines.first.map(Self.isSection) == true
      && lines.last?.first.map(Self.isLetter) == true
  }

  /// True if the first lines that are not comments are entries `key = value` or none, then sections `[name]`, and then an entry.
  fileprivate var beginsWithSection: Bool {
    guard let first, "[#;".utf8.contains(first) || Self.isLetter(first), hasOnlyText else { return false }
    let lines = contentLines.drop(while: Self.isLineOfEntry)
    return lines.first.map(Self.isSection) == true
      && lines.first { !Self.isSection($0) }.map(Self.isEntry) == true
  }

  /// True if the name has the extension of property lists. A text of entries in such a file lacks its semicolons.
  var isNamedPropertyList: Bool { formatOfExtension?.description.isPropertyList == true }

  /// Returns true if all lines are entries `key = value`, sections, or comments, and at least two are entries with a value, or one after a
  /// comment. False for a strings file, which has such lines if its semicolons are missing.
  ///
  /// - Parameter isOneEnough: Pass true to accept one entry with a value in quotation marks.
  fileprivate func hasOnlyEntries(isOneEnough: Bool) -> Bool {
    guard let first, fileExtension != "strings", hasOnlyText, !bytes[start...].starts(with: "#!".utf8)
    else { return false }
    let entries = contentLines.filter { !Self.isSection($0) }
    let valueCount = entries.count { $0.last { !Self.isSpace($0) } != UInt8(ascii: "=") }
    let isOneEnough =
      "#;".utf8.contains(first) || isOneEnough && entries.first.map(Self.hasQuotedValue) == true
    return valueCount >= (isOneEnough ? 1 : 2) && entries.allSatisfy(Self.isLineOfEntry)
  }

  /// True if the first bytes have no control characters other than white space.
  var hasOnlyText: Bool {
    bytes.prefix(1024).allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
  }

  /// The first lines that are neither empty nor comments, without white space at their beginning. The last one of a longer text may be
  /// incomplete and is left out.
  var contentLines: [ArraySlice<UInt8>] {
    let (lineEnds, limit) = ("\n\r".utf8, 100)
    let lines = bytes[start...].split(maxSplits: limit) { lineEnds.contains($0) }
    return lines.dropLast(isWhole && lines.count <= limit ? 0 : 1)
      .map { $0.drop(while: Self.isSpace) }
      .filter { line in line.first.map { !"#;".utf8.contains($0) } ?? false }
  }

  /// Returns true for a line `[name]` or `[[name]]` that is not JSON.
  private static func isSection(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.drop { $0 == UInt8(ascii: "[") }.prefix { $0 != UInt8(ascii: "]") }
    return name.first.map { isLetter($0) || "*.".utf8.contains($0) } == true && isLineInBrackets(line)
      && !name.isJSONLiteral
  }

  /// Returns true for a line `[name]` or `[[name]]`, which may also be a list of JSON.
  private static func isLineInBrackets(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.drop { $0 == UInt8(ascii: "[") }
    guard name.startIndex > line.startIndex, let end = name.firstIndex(of: UInt8(ascii: "]")) else {
      return false
    }
    let rest = name[end...].drop { $0 == UInt8(ascii: "]") || isSpace($0) }
    return end > name.startIndex && !name[..<end].contains { ",{[".utf8.contains($0) }
      && rest.first.map { "#;".utf8.contains($0) } ?? true
  }

  /// Returns true for a line `key = value` that holds a whole entry: the key is a word, and the value is a string in quotation marks, or a
  /// text without the signs of code, markup, queries and further entries.
  private static func isLineOfEntry(_ line: ArraySlice<UInt8>) -> Bool {
    guard isEntry(line), let sign = line.firstIndex(of: UInt8(ascii: "=")),
      let end = line[..<sign].lastIndex(where: { !isSpace($0) }), line[...end].allSatisfy(isInKey)
    else { return false }
    let value = line[(sign + 1)...].drop(while: isSpace)
    guard let first = value.first, let last = value.last(where: { !isSpace($0) }) else { return true }
    if "\"'".utf8.contains(first) {
      guard let close = value.dropFirst().firstIndex(of: first) else { return false }
      return value[(close + 1)...].first { !isSpace($0) }.map { $0 == UInt8(ascii: "#") } ?? true
    }
    return first != UInt8(ascii: "=") && !";,{\\".utf8.contains(last)
      && !value.contains { "<>(&".utf8.contains($0) }
      && !value.split(whereSeparator: isSpace).dropFirst().contains { word in
        word.contains(UInt8(ascii: "=")) || word.count == 1 && word.contains { "+-*/%|".utf8.contains($0) }
      }
  }

  /// Returns true for a line `key = "value"`.
  private static func hasQuotedValue(_ line: ArraySlice<UInt8>) -> Bool {
    let value = line.drop { $0 != UInt8(ascii: "=") }.dropFirst().drop(while: isSpace)
    return value.first.map { "\"'".utf8.contains($0) } == true
  }

  private static func isInKey(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte.isDigit || "-.".utf8.contains(byte)
  }

  /// Returns true for a line that begins like `key = value`.
  private static func isEntry(_ line: ArraySlice<UInt8>) -> Bool {
    line.first.map(isLetter) == true && line.contains(UInt8(ascii: "="))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// True if the file is a class of Java. Universal programs of macOS begin with the same bytes, and then with the small number of their parts.
  fileprivate var isJavaClass: Bool {
    FileSignature.universalMachO.begins(bytes) && bytes.count >= 8 && (bytes[6], bytes[7]) >= (0, 45)
  }

  /// True if the file is a program of Windows. A text may begin with its two letters.
  fileprivate var isWindowsProgram: Bool {
    bytes.starts(with: "MZ".utf8) && bytes.dropFirst(2).prefix(62).contains(0)
  }

  /// True if the text looks like JSON with a comment at its beginning, or after its first bracket.
  var isCommentedJSONText: Bool {
    if isEmptyOpenStepCollection { return false }
    if first == UInt8(ascii: "/") { return isCommentedJSON }
    guard beginsLikeJSON, let key = content(from: start + 1), bytes[key] == UInt8(ascii: "/") else {
      return false
    }
    return isCommentedJSON
  }

  /// True if JSON follows the comments at the beginning. An OpenStep property list may also begin with
  /// comments.
  private var isCommentedJSON: Bool {
    guard let first = endOfComments(from: start) else { return false }
    guard bytes[first] == UInt8(ascii: "{") else { return bytes[first] == UInt8(ascii: "[") }
    guard let key = endOfComments(from: first + 1) else { return false }
    guard bytes[key] == UInt8(ascii: "\"") else { return bytes[key] == UInt8(ascii: "}") }
    guard let end = jsonValueEnd(from: key), let mark = endOfComments(from: end) else { return false }
    return bytes[mark] == UInt8(ascii: ":")
  }

  /// Returns the index of the first byte from `start` on that is neither white space nor in a comment.
  func endOfComments(from start: Int) -> Int? {
    var index = start
    while let next = bytes[index...].firstIndex(where: { !Self.isSpace($0) }) {
      guard bytes[next...].starts(with: "//".utf8) || bytes[next...].starts(with: "/*".utf8) else {
        return next
      }
      // JSON5 and Apple's property lists end a comment at a separator of lines. Without an end at it, no value would follow.
      guard let end = bytes.span.endOfComment(at: next, endsAtSeparators: true) else { return nil }
      // A separator is a line end of three bytes, and no white space of all formats.
      index = end < bytes.count && bytes[end] == 0xe2 ? end + 3 : end
    }
    return nil
  }
}
