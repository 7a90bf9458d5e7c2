import Ferry

/// The names of the files for the records of an input.
///
///     people-1.json, people-2.json        without a path
///     Neuburg.json, Whiplash.json         after the values at the path lastName
struct SplitNames: Sendable {
  let folder: String
  private let stem, ending: String
  /// The path in each record of the value after which its file is named; nil to number the files.
  private let key: ValuePath?
  /// True to replace existing files.
  let isReplacing: Bool
  /// The index and the file name of each record, by that name with the case folded, because the volume may ignore case.
  private var records: [String: (index: Int, name: String)] = [:]

  init(folder: String, stem: String, ending: String, key: ValuePath?, isReplacing: Bool) {
    (self.folder, self.stem, self.ending) = (folder, stem, ending)
    (self.key, self.isReplacing) = (key, isReplacing)
  }

  /// True if the files are named after values.
  var areOfValues: Bool { key != nil }

  /// Returns true if a path can be that of a numbered file. Always false if files are named after values, which are not known before the
  /// records are read.
  func isNumbered(_ path: String) -> Bool {
    let name = Folder.name(of: path).foldedName
    let (beginning, end) = ("\(stem)-".foldedName, ending.foldedName)
    guard key == nil, isInFolder(path), name.hasPrefix(beginning), name.hasSuffix(end) else { return false }
    let digits = name.dropFirst(beginning.count).dropLast(end.count)
    return !digits.isEmpty && digits.allSatisfy { "0" <= $0 && $0 <= "9" }
  }

  /// Returns true if two paths are of the same file, even if it does not exist yet. Ignores case, as the volume may.
  func isSame(_ other: String, _ path: String) -> Bool {
    if let location = Folder.location(of: path), location == Folder.location(of: other) { return true }
    return Folder.name(of: path).foldedName == Folder.name(of: other).foldedName && isInFolder(other)
  }

  private func isInFolder(_ path: String) -> Bool {
    let containing = Folder.containing(path)
    return containing.equals(folder)
      || Folder.identity(of: containing).map { $0 == Folder.identity(of: folder) } ?? false
  }

  /// Returns the path of the file for a record.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.noNameInRecord`, or `sameNameInRecord` if an earlier record has the name.
  mutating func path(of record: SplitRecord) throws(FerryError) -> String {
    guard let key else { return "\(folder)/\(stem)-\(record.index + 1)\(ending)" }
    let index = if case .index(let index)? = record.path.steps.first { index } else { record.index }
    guard let text = try record.value()[path: key]?.fileName else {
      throw FerryError(.file(.noNameInRecord(key.description)), path: record.path)
    }
    if let other = records.updateValue((index, text), forKey: text.foldedName) {
      throw FerryError(
        .file(.sameNameInRecord(text, other: other.index, named: other.name)), path: record.path)
    }
    return "\(folder)/\(text)\(ending)"
  }
}

extension Value {
  /// The text of a scalar as the name of a file, without the characters that a name cannot have, and without a period or a hyphen at the
  /// beginning; nil for an empty text and other values.
  fileprivate var fileName: String? {
    switch self {
    case .boolean, .integer, .real, .single, .number, .string, .date: break
    case .object(let object): return object.content.fileName
    default: return nil
    }
    guard let text = plainText, !text.isEmpty else { return nil }
    var name = String(String.UnicodeScalarView(text.unicodeScalars.map(\.inFileName)))
    if let first = name.unicodeScalars.first, first == "." || first == "-" {
      name.unicodeScalars.removeFirst()
      name = "_" + name
    }
    return name
  }
}

extension Unicode.Scalar {
  /// The character in the name of a file: `_` for a slash and for control characters.
  fileprivate var inFileName: Unicode.Scalar { self == "/" || value < 0x20 || value == 0x7f ? "_" : self }
}
