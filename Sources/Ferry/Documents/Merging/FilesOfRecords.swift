/// The files that records name, merged together with their records.
///
///     base    Robot → image.png (a robot)
///     ours    Robot → image.png (a robot)         Lamp → 1__#$!@%!#__image.png (a lamp)
///     theirs  Robot → image.png (a red robot)     Bed → 1__#$!@%!#__image.png (a bed)
///
/// During the merge, a tag replaces each file name in the records. Two tags are equal if the names and the
/// bytes are equal. Therefore a changed image counts as a change of its record, an image is kept or removed
/// with its record, and two different images with one name stay apart. After the merge, each tag becomes the
/// file's name again, or a similar name if two files have the same one.
struct FilesOfRecords {
  private let versions: PackageVersions
  private let fields: FileFields
  private let usesArchiveKeys: Bool
  /// The paths of existing files that the records of each version name.
  private var named: [MergeSide: Set<PackagePath>] = [:]
  /// The tags for files whose bytes differ between versions.
  private var tags: [PackagePath: [MergeSide: String]] = [:]
  /// The file that each tag represents.
  private var tagged: [ExactString: File] = [:]

  private struct File {
    let path: PackagePath
    let side: MergeSide
  }

  /// Collects the file names in the records of the versions.
  ///
  /// - Parameter areKeys: True if the file names identify the records. Then a name means the same file in all
  ///   versions.
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
    // The mark is unique: file names contain no NUL, and no other string contains this number.
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
    // A version without the file has no bytes to compare, so it gets the tag of another version.
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

  /// Returns a version's records with tags in place of file names.
  func tagging(_ value: Value, of side: MergeSide) -> Value {
    guard !tags.isEmpty else { return value }
    return mappingNames(of: value) { tags[PackagePath($0)]?[side] ?? $0 }
  }

  // MARK: After the merge

  /// Adds all files that the merged records name to the package. Returns the records with file names in place
  /// of tags, and the records of each version whose files got other names, with these.
  func untagging(
    _ merged: ThreeWayMerge.Result, addingFilesTo package: inout DocumentPackage
  ) throws(MergeError) -> (result: ThreeWayMerge.Result, renamed: [MergeSide: SharedObjects]) {
    var result = merged
    let names = try add(filesOf: merged.value, in: &package)
    result.value = mappingNames(of: merged.value) { names[$0] ?? $0 }
    // The new names are known only in the value, whose objects have the same numbers.
    if result.value != merged.value { result.sharedValue = SharedObjects(result.value) }
    guard !tags.isEmpty else { return (result, [:]) }
    result.versions = merged.versions.map { $0.map(untagged) }
    result.sharedVersions = merged.sharedVersions.map { $0?.mapping(untagged) }
    func renamed(_ value: Value) -> Value {
      guard case .string(let text) = value else { return value.mappingParts(renamed) }
      return .string(tagged[text].map { names[text] ?? $0.path.text } ?? text)
    }
    var others: [MergeSide: SharedObjects] = [:]
    for side in MergeSide.allCases {
      let isRenamed = tags.values.contains { tags in
        tags[side].map { names[$0] != nil && names[$0] != tagged[$0]?.path.text } ?? false
      }
      if isRenamed { others[side] = merged.sharedVersions[side]?.mapping(renamed) }
    }
    return (result, others)
  }

  /// Adds the files that records name to the merged package. Returns the names that the files got: each file's own name if it
  /// is unused, otherwise a name that Apple's frameworks would choose.
  private func add(
    filesOf value: Value, in package: inout DocumentPackage
  ) throws(MergeError) -> [ExactString: String] {
    var files: [ExactString: File] = [:]
    for name in names(in: value) where files[name] == nil { files[name] = file(of: name) }
    // Ours come first, then theirs. Names without a tag are the same in all versions.
    let order = files.sorted { ($0.value.side.rank, $0.key) < ($1.value.side.rank, $1.key) }
    var names: [ExactString: String] = [:]
    var crowded: [(name: ExactString, file: PackagedFile, path: PackagePath)] = []
    for (name, file) in order {
      guard case .file(let contents)? = versions[file.side, file.path] else { continue }
      if try add(contents, of: file, in: &package) {
        names[name] = file.path.text
      } else {
        crowded.append((name, contents, file.path))
      }
    }
    // Files with a taken name come last, so that no other file has to change its name.
    for (name, file, path) in crowded {
      names[name] = package.add(file, preferredName: path.unnumbered.text)
    }
    return names
  }

  /// Adds a file under its own name. Returns false if another file already has the name.
  private func add(
    _ contents: PackagedFile, of file: File, in package: inout DocumentPackage
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

  /// Returns a conflict with file names in place of tags, and the paths of the files in which the versions of the record
  /// differ. There is no conflict of the record if they differ only in files.
  func untagged(_ conflict: MergeConflict) -> (record: MergeConflict?, files: [PackagePath]) {
    let values = Versions(base: conflict.base, ours: conflict.ours, theirs: conflict.theirs)
    let differing = differingFiles(of: values.all.compactMap { $0 })
    let plain = values.map { $0.map(untagged) }
    guard plain.ours == plain.theirs || plain.base == plain.ours || plain.base == plain.theirs else {
      var record = conflict
      (record.base, record.ours, record.theirs) = (plain.base, plain.ours, plain.theirs)
      return (record, differing)
    }
    return (nil, differing)
  }

  /// Returns the paths of the files whose contents are not the same in all versions of a record.
  private func differingFiles(of versions: [Value]) -> [PackagePath] {
    let tags = versions.map { Set(strings(in: $0).filter { tagged[$0] != nil }) }
    guard let first = tags.first else { return [] }
    let common = tags.dropFirst().reduce(first) { $0.intersection($1) }
    return Set(tags.joined().filter { !common.contains($0) }.compactMap { tagged[$0]?.path }).sorted()
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

  /// Returns a value with each file name in its records transformed. Records are the elements of the
  /// outermost list, or the outermost value itself, and objects of the records' class at any depth.
  private func mappingNames(of value: Value, _ transform: (String) -> String) -> Value {
    // The outermost dictionary that holds the list of records is not a record itself.
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

extension DocumentPackage.Entry {
  fileprivate func isFile(_ file: PackagedFile) -> Bool {
    if case .file(let own) = self { own === file } else { false }
  }
}

extension MergeSide {
  /// The order in which the sides' files receive their own names; lower is earlier.
  fileprivate var rank: Int {
    switch self {
    case .ours: 0
    case .theirs: 1
    case .base: 2
    }
  }
}
