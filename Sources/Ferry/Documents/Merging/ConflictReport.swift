extension DocumentMerge.Result {
  /// Writes the conflicts as JSON. The values of each version have the notation of the typed form:
  ///
  ///     { "conflicts": [ { "path": "[itemKey=\"key-3\"].name",
  ///                        "base": "Light", "ours": "Lamp", "theirs": "Desk lamp" } ] }
  ///
  /// A version without a value at the path is left out. A conflict in the text alone has a `line` instead of
  /// a path.
  ///
  /// - Throws: The error of the output.
  public func writeReport(to output: any ByteOutput) throws(FerryError) {
    try ConflictReport.write(conflicts, textConflicts, [], to: output)
  }
}

extension DocumentMerge.PackageResult {
  /// Writes the conflicts as JSON. The values of each version have the notation of the typed form; a conflict
  /// between files has the path in the package, and the bytes as data:
  ///
  ///     { "conflicts": [ { "file": "image.png",
  ///                        "ours": { "$data": "iVBORw0KGgo…" }, "theirs": { "$data": "…" } } ] }
  ///
  /// A folder or a link is described in words instead.
  ///
  /// - Throws: The error of the output, or of reading the files.
  public func writeReport(to output: any ByteOutput) throws(FerryError) {
    try ConflictReport.write(conflicts, textConflicts, fileConflicts, to: output)
  }
}

extension DocumentMerge {
  /// Removes the file at a path if it is a report on conflicts.
  package static func removeReport(at path: String) {
    guard Folder.isFileOrFolder(path), let file = try? FileInput(path: path),
      let head = try? file.peek(upTo: ConflictReport.beginning.count),
      head.elementsEqual(ConflictReport.beginning)
    else { return }
    try? SystemPath.remove(path)
  }
}

/// The conflicts of a merge as JSON.
private enum ConflictReport {
  /// The first bytes of every report.
  static let beginning = Array("{\n  \"conflicts\": [".utf8)

  static func write(
    _ conflicts: [MergeConflict], _ texts: [TextConflict], _ files: [FileConflict], to output: any ByteOutput
  ) throws(FerryError) {
    let json = JSONWriter(to: output, style: .pretty)
    let sink = TaggedScalars(
      to: json, capabilities: Format.json.typedCapabilities, nesting: 0, budget: Budget())
    try sink.beginDictionary(count: 1)
    try sink.key("conflicts")
    try sink.beginArray(count: conflicts.count + texts.count + files.count)
    for conflict in conflicts { try conflict.report.replay(into: sink) }
    for conflict in texts { try conflict.report.replay(into: sink) }
    // The files may be large, so each conflict is written before the next one is read.
    for conflict in files { try conflict.report().replay(into: sink) }
    try sink.endArray()
    try sink.endDictionary()
    try sink.finish()
  }
}

extension FileConflict {
  /// The conflict as an entry of a report.
  fileprivate func report() throws(FerryError) -> Value {
    var entries = KeyedValues()
    entries["file"] = .string(path)
    for (name, content) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      guard let content else { continue }
      do throws(FerryError) {
        entries[name] = try content.bytes().map { .data($0) } ?? .string(content.description)
      } catch {
        throw error.placed(path: ValuePath([.key(path)]))
      }
    }
    return .dictionary(entries)
  }
}

extension TextConflict {
  /// The conflict as an entry of a report.
  fileprivate var report: Value {
    var entries = KeyedValues()
    entries["line"] = .integer(Int128(line))
    (entries["base"], entries["ours"], entries["theirs"]) = (.string(base), .string(ours), .string(theirs))
    return .dictionary(entries)
  }
}

extension MergeConflict {
  /// The conflict as an entry of a report.
  fileprivate var report: Value {
    var entries = KeyedValues()
    entries[.string("path")] = .string(path.description)
    for (name, value) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      entries[.string(name)] = value?.tagged
    }
    return .dictionary(entries)
  }
}
