/// A detector of an input's format, by its content, then by its extension.
///
///     bplist00…                        plist-binary (whether it is an archive its objects tell)
///     04 0B streamtyped…               typedstream
///     SQLite format 3…                 sqlite
///     <?xml …?><plist>…                plist-xml, or archive-xml if it has a key of an archive's (whether it
///                                      is an archive its objects tell)
///     <people>…                        xml
///     {"a": 1}                         json
///     {"a": 1} ⏎ {"a": 2}              jsonl
struct FormatDetector {
  /// The number of bytes from the start that suffice.
  static let headSize = 1 << 16

  private let head: [UInt8]
  private let fileExtension: String?

  /// Creates a detector for the first bytes of an input.
  init(head: [UInt8], name: String?) {
    self.head = Self.withoutUTF16(head)
    fileExtension = name.flatMap(Self.fileExtension)
  }

  /// Returns UTF-16 reduced to ASCII, which suffices here. The readers decode the input, or name its
  /// encoding.
  private static func withoutUTF16(_ head: [UInt8]) -> [UInt8] {
    guard head.count > 3 else { return head }
    let isMarked = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff])
    guard isMarked || (head[0] == 0) != (head[1] == 0), !head.starts(with: [0, 0]) else { return head }
    return head.dropFirst(isMarked ? 2 : 0).filter { $0 != 0 }
  }

  /// Returns the extension of a file name in lower case, or nil.
  static func fileExtension(of name: String) -> String? {
    let last = name.split(separator: "/").last ?? ""
    guard let point = last.lastIndex(of: "."), point != last.startIndex else { return nil }
    return last[last.index(after: point)...].lowercased()
  }

  /// Returns the format. Throws an error that describes an unsupported input.
  func detect() throws(FerryError) -> Format {
    // A TinyPix file may have any eight bytes, so its name decides.
    if fileExtension == "tinypix", head.count <= TinyPicture.size { return .tinyPix }
    if fileExtension == "txt", isPlainText { return .text }
    guard !head.isEmpty else { throw FerryError(.file(.empty)) }
    if head.starts(with: "bplist".utf8) { return .binaryPropertyList }
    if Typedstream.begins(head) { return .typedstream }
    if head.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
    if TinyPicture.beginsPNG(head) { return .png }
    if let kind = Self.otherKinds.first(where: { head.starts(with: $0.magic) })?.kind {
      throw FerryError(.file(.otherKind(kind)))
    }
    let start = contentStart
    guard start < head.count else { throw FerryError(.file(.empty)) }
    switch head[start] {
    case UInt8(ascii: "<"): return xmlFormat(from: start)
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      if let format = try jsonFormat(from: start) { return format }
    case UInt8(ascii: "/"): throw isCommentedJSON(from: start) ? commentedJSON : openStep
    case UInt8(ascii: "("): throw openStep
    default: break
    }
    // A property list or an archive always has a signature, so without one the extension is wrong.
    if let fileExtension, let format = Format(fileExtension: fileExtension), format.streams,
      format != .xmlPropertyList, format != .sqlite
    {
      return format
    }
    if fileExtension == "tinypix" { return .tinyPix }
    throw FerryError(.file(.unknownFormat(found: "the first bytes are those of no format that Ferry reads")))
  }

  private static let otherKinds: [(magic: [UInt8], kind: String)] = [
    ([0x89, 0x50, 0x4e, 0x47], "a PNG image"), ([0xff, 0xd8, 0xff], "a JPEG image"),
    (Array("GIF8".utf8), "a GIF image"),
    (Array("%PDF".utf8), "a PDF document"), ([0x50, 0x4b, 0x03, 0x04], "a ZIP archive"),
    ([0x1f, 0x8b], "gzip data"),
    (Array("NIBArchive".utf8), "a NIBArchive (a compiled nib file)"),
    ([0x7f, 0x45, 0x4c, 0x46], "a program"),
    (Array("GNUstep archive".utf8), "a GNUstep archive (written by GNUstep's NSArchiver)"),
  ]

  /// True if the content of a file with a text extension has neither markup nor JSON.
  private var isPlainText: Bool {
    let start = contentStart
    guard start < head.count else { return true }
    switch head[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return !canBeRead(by: JSONLinesReader(into: ValueBuilder()))
        && !canBeRead(by: JSONReader(into: ValueBuilder()))
    case UInt8(ascii: "<"):
      guard let stream = try? XMLStream(document: ElementDelegate()) else { return true }
      return !canBeRead(by: stream)
    default:
      if Typedstream.begins(head) || Self.otherKinds.contains(where: { head.starts(with: $0.magic) }) {
        return false
      }
      return !head.starts(with: "bplist".utf8) && !isOneScalar(from: start)
    }
  }

  /// True if a reader finds nothing wrong with the first bytes.
  private func canBeRead(by reader: any ChunkReader) -> Bool {
    do throws(FerryError) {
      try reader.read(head.span)
      if head.count < Self.headSize { try reader.finish() }
      return true
    } catch {
      return false
    }
  }

  /// Returns true if the first line is a single JSON scalar.
  private func isOneScalar(from start: Int) -> Bool {
    let line = Array(head[start...].prefix { $0 != UInt8(ascii: "\n") })
    let reader = JSONReader(into: ValueBuilder())
    do throws(FerryError) {
      try reader.read(line.span)
      try reader.finish()
      return true
    } catch {
      return false
    }
  }

  private var openStep: FerryError {
    FerryError(.file(.otherKind("an OpenStep property list")))
  }

  private var commentedJSON: FerryError { FerryError(.file(.otherKind("JSON with comments"))) }

  /// True if comments and then JSON begin here; an OpenStep property list may begin with comments, too.
  private func isCommentedJSON(from start: Int) -> Bool {
    guard let first = endOfComments(from: start) else { return false }
    guard head[first] == UInt8(ascii: "{") else { return head[first] == UInt8(ascii: "[") }
    guard let key = endOfComments(from: first + 1) else { return false }
    guard head[key] == UInt8(ascii: "\"") else { return head[key] == UInt8(ascii: "}") }
    guard let end = jsonValueEnd(from: key), let mark = endOfComments(from: end) else { return false }
    return head[mark] == UInt8(ascii: ":")
  }

  /// The index of the first byte from `start` on that is neither white space nor in a comment.
  private func endOfComments(from start: Int) -> Int? {
    var index = start
    while let next = head[index...].firstIndex(where: { !Self.isSpace($0) }) {
      let end: Int?
      if head[next...].starts(with: "//".utf8) {
        end = head[next...].firstIndex(of: UInt8(ascii: "\n"))
      } else if head[next...].starts(with: "/*".utf8) {
        end = find("*/", from: next + 2).map { $0 + 2 }
      } else {
        return next
      }
      guard let end else { return nil }
      index = end
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  /// The index after the byte order mark and white space.
  private var contentStart: Int {
    let start = head.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    return head[start...].firstIndex { !Self.isSpace($0) } ?? head.count
  }

  // MARK: XML

  private func xmlFormat(from start: Int) -> Format {
    guard isPropertyList(from: start) else { return .xml }
    return hasArchiveKey(from: start) ? .xmlArchive : .xmlPropertyList
  }

  /// Returns true if a property list has one of an archive's outermost keys, at any level.
  private func hasArchiveKey(from start: Int) -> Bool {
    let keys = ["$archiver", "$objects", "$top", "$version"].map { Array("<key>\($0)</key>".utf8) }
    var index = start
    while let dollar = head[index...].firstIndex(of: UInt8(ascii: "$")) {
      let key = head[max(start, dollar - 5)...]
      if keys.contains(where: { key.starts(with: $0) }) { return true }
      index = dollar + 1
    }
    return false
  }

  /// Returns true if the first element, after declarations and comments, is `plist`.
  private func isPropertyList(from start: Int) -> Bool {
    var index = start
    while index < head.count {
      if head[index...].starts(with: "<!--".utf8) {
        guard let end = find("-->", from: index) else { return false }
        index = end + 3
      } else if head[index...].starts(with: "<?".utf8) {
        guard let end = find("?>", from: index) else { return false }
        index = end + 2
      } else if head[index...].starts(with: "<!DOCTYPE plist".utf8) {
        return true
      } else if head[index...].starts(with: "<!".utf8) {
        guard let end = find(">", from: index) else { return false }
        index = end + 1
      } else if head[index] == UInt8(ascii: "<") {
        let name = head[(index + 1)...].prefix {
          !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return name.elementsEqual("plist".utf8)
      } else {
        index += 1
      }
    }
    return false
  }

  private func find(_ text: String, from start: Int) -> Int? {
    let wanted = Array(text.utf8)
    guard start <= head.count - wanted.count else { return nil }
    return (start...(head.count - wanted.count)).first { head[$0...].starts(with: wanted) }
  }

  // MARK: JSON

  /// Returns JSON Lines if a second value follows the first on another line; otherwise JSON.
  private func jsonFormat(from start: Int) throws(FerryError) -> Format? {
    let key = head[(start + 1)...].firstIndex { !Self.isSpace($0) }
    if let key, head[key] == UInt8(ascii: "/"), isCommentedJSON(from: start) { throw commentedJSON }
    if try looksLikeOpenStep(from: start) { throw openStep }
    if let fileExtension, Format.jsonLines.extensions.contains(fileExtension) { return .jsonLines }
    guard let end = jsonValueEnd(from: start) else { return .json }
    let rest = head[end...]
    guard let next = rest.firstIndex(where: { !Self.isSpace($0) }) else { return .json }
    // `"key" = "value";` is a line of a .strings file.
    if head[next] == UInt8(ascii: "=") { throw openStep }
    return rest[..<next].contains(UInt8(ascii: "\n")) ? .jsonLines : .json
  }

  /// Returns true for `{ a = 1; }` and `{ "a" = 1; }`, which are not JSON.
  private func looksLikeOpenStep(from start: Int) throws(FerryError) -> Bool {
    guard head[start] == UInt8(ascii: "{") else { return false }
    guard let key = head[(start + 1)...].firstIndex(where: { !Self.isSpace($0) }) else { return false }
    switch head[key] {
    case UInt8(ascii: "\""):
      guard let end = jsonValueEnd(from: key) else { return false }
      return head[end...].first { !Self.isSpace($0) } == UInt8(ascii: "=")
    case UInt8(ascii: "}"): return false
    default: return head[key...].prefix(256).contains(UInt8(ascii: "="))
    }
  }

  /// Returns the index after the value that begins at an index; nil if the value extends beyond the head.
  /// Only brackets and strings are examined; errors are left to the reader.
  private func jsonValueEnd(from start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < head.count {
      switch head[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < head.count, head[index] != UInt8(ascii: "\"") {
          index += head[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < head.count else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default:
        if depth == 0 {
          let end = head[index...].firstIndex { Self.isSpace($0) || "{}[]\",".utf8.contains($0) }
          return end
        }
      }
      index += 1
      if depth <= 0 { return min(index, head.count) }
    }
    return nil
  }
}

extension Format {
  /// Returns the format with the extension of a file name; nil if it is unknown: `people.pplgrp` is an
  /// archive.
  public static func ofFile(named name: String) -> Format? {
    FormatDetector.fileExtension(of: name).flatMap(Format.init(fileExtension:))
  }

  init?(fileExtension: String) {
    guard let format = Self.allCases.first(where: { $0.extensions.contains(fileExtension) }) else {
      return nil
    }
    self = format
  }
}
