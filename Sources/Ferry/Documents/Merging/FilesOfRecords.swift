/// The files that records name, as parts of their records.
///
///     base    Robot → image.png (a robot)
///     ours    Robot → image.png (a robot)         Lamp → 1__#$!@%!#__image.png (a lamp)
///     theirs  Robot → image.png (a red robot)     Bed → 1__#$!@%!#__image.png (a bed)
///
/// During the merge of the records, a tag replaces each file name. Equal tags mean the same name and the same
/// bytes. So a changed image is a change of its record, an image shares the fate of its record, and two
/// images of one name are different. After the merge, each file that a record names gets its own name, or a
/// similar one if two files would have the same name.
struct FilesOfRecords {
  private let versions: PackageVersions
  private let fields: FileFields
  private let usesArchiveKeys: Bool
  /// The names of existing files that the records of each version contain.
  private var named: [MergeSide: Set<PackagePath>] = [:]
  /// The tags of names whose bytes differ between versions.
  private var tags: [PackagePath: [MergeSide: String]] = [:]
  /// The files for which tags stand.
  private var tagged: [ExactString: File] = [:]

  private struct File {
    let path: PackagePath
    let side: MergeSide
  }

  /// Collects the file names in the records of the versions. If `areKeys` is true, the file names identify
  /// the records, and a name means the same file in all versions.
  init(
    of versions: PackageVersions, _ values: [MergeSide: Value], _ fields: FileFields, usesArchiveKeys: Bool,
    areKeys: Bool
  ) throws(MergeError) {
    (self.versions, self.fields, self.usesArchiveKeys) = (versions, fields, usesArchiveKeys)
    var all: Set<PackagePath> = []
    for (side, value) in values {
      let names = Set(self.names(in: value).map(PackagePath.init))
      all.formUnion(names)
      if !areKeys { named[side] = names.filter { versions.hasFile(side, $0) } }
    }
    guard !areKeys else { return }
    // No file name contains a NUL, and no other string contains this number.
    let mark = "\0\(SystemPath.unique)"
    for path in all { try tag(path, mark) }
  }

  private mutating func tag(_ path: PackagePath, _ mark: String) throws(MergeError) {
    var found: [(side: MergeSide, tag: String)] = []
    var tags: [MergeSide: String] = [:]
    for side in [MergeSide.ours, .theirs, .base] where versions.hasFile(side, path) {
      var tag: String?
      for other in found where tag == nil {
        if try versions.areSame(path, other.side, side) { tag = other.tag }
      }
      if tag == nil { found.append((side, "\(path.text)\(mark)\(side.rawValue)")) }
      tags[side] = tag ?? found.last?.tag
    }
    guard found.count > 1 else { return }
    for (side, tag) in found { tagged[tag] = File(path: path, side: side) }
    // A version without the file has no bytes to compare.
    let first = tags[.base] ?? found[0].tag
    for side in MergeSide.allCases where tags[side] == nil { tags[side] = first }
    self.tags[path] = tags
  }

  /// Returns true if the merged records decide on the file at a path in a version: a record of the version
  /// names the file, or one of the base does, and the file is a leftover of that record.
  func decide(on path: PackagePath, _ side: MergeSide) throws(MergeError) -> Bool {
    if isNamed(path, side) { return true }
    return isNamed(path, .base) ? try versions.areSame(path, .base, side) : false
  }

  private func isNamed(_ path: PackagePath, _ side: MergeSide) -> Bool {
    named[side]?.contains(path) == true
  }

  /// Returns the records of a version with tags in place of names.
  func tagging(_ value: Value, of side: MergeSide) -> Value {
    guard !tags.isEmpty else { return value }
    return mappingNames(of: value) { tags[PackagePath($0)]?[side] ?? $0 }
  }

  // MARK: After the merge

  /// Returns the merged records with names in place of tags, after adding all files that the records name to
  /// the package.
  func untagging(
    _ merged: Merge.Result, placingFilesIn package: inout Package
  ) throws(MergeError) -> Merge.Result {
    var merged = merged
    merged.value = try place(filesOf: merged.value, in: &package)
    guard !tags.isEmpty else { return merged }
    merged.base = merged.base.map(untagged)
    (merged.ours, merged.theirs) = (untagged(merged.ours), untagged(merged.theirs))
    return merged
  }

  /// Adds the files that records name to the merged package, each under its own name if that is free,
  /// otherwise under a name that Apple's frameworks would choose. Returns the records with these names.
  private func place(filesOf value: Value, in package: inout Package) throws(MergeError) -> Value {
    var files: [ExactString: File] = [:]
    for name in names(in: value) where files[name] == nil { files[name] = file(of: name) }
    // Our files first, then theirs. Names without a tag are the same in all versions.
    let order = files.sorted { ($0.value.side.rank, $0.key) < ($1.value.side.rank, $1.key) }
    var names: [ExactString: String] = [:]
    var crowded: [(name: ExactString, file: PackagedFile, path: PackagePath)] = []
    for (name, file) in order {
      guard case .file(let contents)? = versions[file.side, file.path] else { continue }
      if try place(contents, of: file, in: &package) {
        names[name] = file.path.text
      } else {
        crowded.append((name, contents, file.path))
      }
    }
    // These files come last, so that no other file has to change its name for them.
    for (name, file, path) in crowded {
      names[name] = package.add(file, preferredName: path.unnumbered.text)
    }
    return mappingNames(of: value) { names[$0] ?? $0 }
  }

  /// Adds a file under its own name. Returns false if another file has the name.
  private func place(
    _ contents: PackagedFile, of file: File, in package: inout Package
  ) throws(MergeError) -> Bool {
    switch package.entries[file.path] {
    case .file(let other)?:
      // A file that is the same in all versions has no tag.
      guard tags[file.path] != nil else { return true }
      let side = MergeSide.allCases.first { versions[$0, file.path]?.isFile(other) == true }
      return try side.map { side throws(MergeError) in try versions.areSame(file.path, side, file.side) }
        ?? false
    case .folder?, .link?: return false
    case nil:
      package.insert(.file(contents), at: file.path)
      return true
    }
  }

  private func file(of name: String) -> File? {
    if let file = tagged[name] { return file }
    let path = PackagePath(name)
    return [MergeSide.ours, .theirs].first { versions.hasFile($0, path) }.map { File(path: path, side: $0) }
  }

  // MARK: Conflicts

  /// Returns a conflict with names in place of tags; or the files of the conflict, if the records differ in
  /// nothing else.
  func untagged(_ conflict: MergeConflict) -> (record: MergeConflict?, files: [PackagePath]) {
    let values = [conflict.base, conflict.ours, conflict.theirs]
    let plain = values.map { $0.map(untagged) }
    guard plain[1] == plain[2] || plain[0] == plain[1] || plain[0] == plain[2] else {
      let record = MergeConflict(path: conflict.path, base: plain[0], ours: plain[1], theirs: plain[2])
      return (record, [])
    }
    let tags = Set(values.compactMap { $0 }.flatMap(strings)).filter { tagged[$0] != nil }
    return (nil, Set(tags.compactMap { tagged[$0]?.path }).sorted())
  }

  private func untagged(_ value: Value) -> Value {
    if case .string(let text) = value { return .string(tagged[text]?.path.text ?? text) }
    return value.mappingParts(untagged)
  }

  private func strings(in value: Value) -> [String] {
    if case .string(let text) = value { return [text] }
    return value.parts.flatMap(strings)
  }

  // MARK: Names in records

  private func names(in value: Value) -> [String] {
    var names: [String] = []
    _ = mappingNames(of: value) { name in
      names.append(name)
      return name
    }
    return names
  }

  /// Returns a value with other file names in its records. Records are the elements of the outermost list, or
  /// the single outermost value, and objects of the records' class at any depth.
  private func mappingNames(of value: Value, _ transform: (String) -> String) -> Value {
    // A dictionary around the records is not a record.
    if let key = fields.schema.collectionKey, case .dictionary(var entries) = value,
      let records = entries[key]
    {
      entries[key] = mappingNames(of: records, isRecord: true, transform)
      return .dictionary(entries)
    }
    return mappingNames(of: value, isRecord: true, transform)
  }

  private func mappingNames(of value: Value, isRecord: Bool, _ transform: (String) -> String) -> Value {
    switch value {
    case .array, .set: return value.mappingParts { mappingNames(of: $0, isRecord: isRecord, transform) }
    case .object(var object):
      let isRecord = isRecord || fields.schema.record.accepts(className: object.type.name)
      object.content = mappingNames(of: object.content, isRecord: isRecord, transform)
      return .object(object)
    case .dictionary(var entries):
      for (key, value) in entries {
        entries[key] =
          isRecord && isFileField(key)
          ? Self.mappingString(of: value, transform) : mappingNames(of: value, isRecord: false, transform)
      }
      return .dictionary(entries)
    default: return value
    }
  }

  private func isFileField(_ key: Value) -> Bool {
    guard case .string(let key) = key else { return false }
    let match = fields.schema.record.match(key.utf8.span, usesArchiveKeys: usesArchiveKeys)
    return match?.field == fields.keyIndex
  }

  private static func mappingString(of value: Value, _ transform: (String) -> String) -> Value {
    switch value {
    case .string(let text): return .string(transform(text))
    case .object(var object):
      object.content = mappingString(of: object.content, transform)
      return .object(object)
    default: return value
    }
  }
}

extension Package.Entry {
  fileprivate func isFile(_ file: PackagedFile) -> Bool {
    if case .file(let own) = self { own === file } else { false }
  }
}

extension MergeSide {
  /// The order in which the files of the sides get their own names.
  fileprivate var rank: Int {
    switch self {
    case .ours: 0
    case .theirs: 1
    case .base: 2
    }
  }
}
