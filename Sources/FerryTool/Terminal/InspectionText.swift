import Ferry

/// The text of inspections for people: a line for each fact, followed by tables of classes, keys and
/// elements.
///
///     people.pplgrp
///       format     archive: keyed archive (NSKeyedArchiver), binary
///       root       NSMutableArray, object 1
///       classes
///         3  Person ▸ NSObject
///             3  first  string
struct InspectionText {
  private(set) var text = ""
  let color: Colors

  init(_ color: Colors) { self.color = color }

  // MARK: Lines

  mutating func heading(_ name: String) { text += color(name, .heading) + "\n" }

  private mutating func row(_ label: String, _ value: String) {
    text += "  " + color(label, .key) + String(repeating: " ", count: max(1, 12 - label.count)) + value + "\n"
  }

  private mutating func section(_ label: String) { text += "  " + color(label, .key) + "\n" }

  /// Adds lines that begin with aligned counts.
  private mutating func list(_ entries: [(count: Int, text: String)], indent: Int) {
    let width = entries.map { "\($0.count)".count }.max() ?? 0
    for (count, line) in entries {
      text += String(repeating: " ", count: indent) + aligned(count, width) + "  " + line + "\n"
    }
  }

  private func aligned(_ count: Int, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - "\(count)".count)) + color("\(count)", .number)
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// `7 string, 2 integer`
  private func counts(_ entries: [(name: String, count: Int)]) -> String {
    entries.map { "\($0.count) \($0.name)" }.joined(separator: ", ").withoutControls
  }

  // MARK: A file

  /// Adds the inspection of a file.
  mutating func add(_ inspection: Inspection) {
    row("format", "\(inspection.format.rawValue): \(inspection.format.summary)")
    if inspection.isSigned { row("signature", "not verified") }
    if !inspection.compressions.isEmpty {
      row("compression", inspection.compressions.map(\.rawValue).joined(separator: ", then "))
    }
    row("size", inspection.byteCount.counted("byte"))
    if let encoding = inspection.encoding { row("encoding", encoding.withoutControls) }
    if let archive = inspection.archive { add(archive) }
    if let document = inspection.document { add(document) }
    if let store = inspection.store { add(store) }
    if let values = inspection.values { add(values, ofElements: inspection.document != nil) }
    if let table = inspection.table { add(table) }
    add(inspection.blobs)
    add(inspection.warnings)
  }

  private mutating func add(_ archive: Inspection.Archive) {
    if archive.hasArchiver {
      let version = archive.version.map { ", version \($0)" } ?? ", no version"
      row("archiver", (archive.archiver ?? "none").withoutControls + version)
    }
    for root in archive.roots {
      let what = root.className.map { color($0, .type) } ?? root.kind.rawValue
      let location = root.object.map { $0 == 0 ? "" : ", object \($0)" } ?? ", in place"
      row("root", (root.name == "root" ? "" : color(root.name, .string) + ": ") + what + location)
    }
    for entry in archive.otherEntries {
      row("entry", color(entry.name, .string) + ": " + entry.kind.rawValue)
    }
    row(
      "objects",
      "\(archive.objectCount): \(archive.instances.counted("instance")), "
        + "\(archive.bareValues.total.counted("plain value")), "
        + "\(archive.descriptions) class\(archive.descriptions == 1 ? "" : "es"), "
        + "\(archive.unreachable) unreachable")
    if archive.bareValues.total > 0 {
      row("values", counts(archive.bareValues.present.map { ($0.kind.rawValue, $0.count) }))
    }
    row("depth", "\(archive.depth)")
    let cycles = "\(archive.cycles.counted("cycle")) of \(archive.objectsOnCycles.counted("object"))"
    row("cycles", archive.cycles == 0 ? "none" : cycles)
    let shared =
      "\(archive.sharedObjects.counted("instance")), \(archive.sharedValues.counted("plain value"))"
    row("shared", shared + " (referred to more than once)")
    add(archive.classes, isComplete: archive.hasAllKeys)
  }

  private mutating func add(_ classes: [Inspection.Class], isComplete: Bool) {
    guard !classes.isEmpty else { return }
    section("classes")
    let width = classes.map { "\($0.count)".count }.max() ?? 0
    for type in classes {
      var line = color(type.name, .type)
      for name in type.superclasses { line += color(" ▸ ", .faint) + name.withoutControls }
      if !type.hints.isEmpty {
        line += color("  hints: \(type.hints.joined(separator: ", "))", .faint)
      }
      text += "    " + aligned(type.count, width) + "  " + line + "\n"
      add(type.keys, indent: 4 + width + 4)
    }
    if !isComplete { text += "    " + color("too many keys; not all are listed", .warning) + "\n" }
  }

  private mutating func add(_ keys: [Inspection.Key], indent: Int) {
    let names = keys.map(\.name.withoutControls)
    let width = min(names.map(\.count).max() ?? 0, 40)
    let entries = zip(keys, names).map { key, name in
      (count: key.count, text: padded(name, width) + "  " + color(types(of: key), .faint))
    }
    list(entries, indent: indent)
  }

  /// Returns the types of a key's values: `string`, or with counts if there are several: `string 3, integer
  /// 1`.
  private func types(of key: Inspection.Key) -> String {
    let types = key.types
    guard types.count > 1 else { return types.first?.name ?? "" }
    let more = types.count > 6 ? ", …" : ""
    return types.prefix(6).map { "\($0.name) \($0.count)" }.joined(separator: ", ") + more
  }

  private mutating func add(_ values: Inspection.Values, ofElements: Bool) {
    if let top = values.top {
      row("top", top.rawValue + (values.records.map { " of \($0)" } ?? ""))
    }
    // The depth of elements is in a line of its own.
    if !ofElements { row("depth", "\(values.depth)") }
    row("values", counts(values.kinds.present.map { ($0.kind.rawValue, $0.count) }))
    if !values.keys.isEmpty {
      section("keys")
      add(values.keys, indent: 4)
      if !values.hasAllKeys { text += "    " + color("too many keys; not all are listed", .warning) + "\n" }
    }
    add(values.classes, isComplete: true)
  }

  private mutating func add(_ store: Inspection.Store) {
    if store.isCoreData { row("store", "Core Data" + (store.uuid.map { ", \($0.withoutControls)" } ?? "")) }
    section(store.isCoreData ? "entities" : "tables")
    let width = store.tables.compactMap(\.rows).map { "\($0)".count }.max() ?? 0
    for table in store.tables {
      let kind =
        table.kind == .view || table.kind == .virtual ? color("  \(table.kind.rawValue)", .faint) : ""
      let count = table.rows.map { aligned($0, width) } ?? padded("", width)
      text += "    " + count + "  " + color(table.name.withoutControls, .type) + kind + "\n"
      let names = table.columns.map(\.name.withoutControls)
      let nameWidth = min(names.map(\.count).max() ?? 0, 40)
      for (column, name) in zip(table.columns, names) {
        let type = column.type?.withoutControls ?? ""
        let line = type.isEmpty ? name : padded(name, nameWidth) + "  " + color(type, .faint)
        text += String(repeating: " ", count: width + 10) + line + "\n"
      }
    }
  }

  private mutating func add(_ document: Inspection.Document) {
    row("root", color(document.root, .type))
    row("elements", "\(document.elementCount) of \(document.elements.count.counted("name"))")
    row("depth", "\(document.depth)")
    for namespace in document.namespaces {
      let prefixes = namespace.prefixes.filter { !$0.isEmpty }.joined(separator: ", ").withoutControls
      row("namespace", namespace.name.withoutControls + (prefixes.isEmpty ? "" : " (\(prefixes))"))
    }
    let rest = [
      document.hasDoctype ? "a document type declaration" : nil,
      document.comments > 0 ? document.comments.counted("comment") : nil,
      document.processingInstructions > 0
        ? document.processingInstructions.counted("processing instruction") : nil,
    ].compactMap { $0 }
    if !rest.isEmpty { row("also", rest.joined(separator: ", ")) }
    section("names")
    list(document.elements.map { ($0.count, line(of: $0)) }, indent: 4)
  }

  private func line(of element: Inspection.Document.Element) -> String {
    let (low, high) = (element.depths.lowerBound, element.depths.upperBound)
    var line =
      color(element.name, .type) + color("  depth \(low == high ? "\(low)" : "\(low)–\(high)")", .faint)
    if element.withText > 0 { line += color(", text \(element.withText)", .faint) }
    for (name, count) in element.attributes.entries {
      line += "  @" + name.withoutControls + (count == element.count ? "" : color(" \(count)", .faint))
    }
    return line
  }

  private mutating func add(_ table: Inspection.ObjectTable) {
    row(
      "stored",
      "\(table.objectCount.counted("object")), \(table.offsetWidth)-byte offsets, "
        + "\(table.referenceWidth)-byte references")
    let integers = table.integerWidths.entries.sorted { $0.subject < $1.subject }
    if !integers.isEmpty {
      let widths = integers.map { "\($0.count) of \($0.subject.counted("byte"))" }
      row("integers", widths.joined(separator: ", "))
    }
    if table.asciiStrings + table.utf16Strings > 0 {
      row("strings", "\(table.asciiStrings) ASCII, \(table.utf16Strings) UTF-16")
    }
    row(
      "table",
      "\(table.orphans.counted("unused object")), \(table.sharedCollections.counted("shared collection")), "
        + "\(table.cyclicCollections.counted("collection")) in a cycle")
  }

  private mutating func add(_ blobs: Inspection.Blobs) {
    guard !blobs.isEmpty else { return }
    row(
      "nested",
      "\(counts(blobs.counts.mostFrequent.map { ($0.subject.rawValue, $0.count) })), "
        + "\(blobs.byteCount.counted("byte")) together")
    for blob in blobs.first.prefix(20) {
      let location = [blob.path.description.withoutControls, blob.location.byte.map { "byte \($0)" } ?? ""]
      text +=
        "    \(blob.kind.rawValue), \(blob.byteCount.counted("byte"))  "
        + color(location.filter { !$0.isEmpty }.joined(separator: ", "), .faint) + "\n"
      if let inspection = blob.inspection { add(nested: inspection) }
    }
    more(blobs.counts.total - min(blobs.first.count, 20))
  }

  /// Adds the inspection of a nested file, indented under its line.
  private mutating func add(nested inspection: Inspection) {
    var inner = InspectionText(color)
    inner.add(inspection)
    for line in inner.text.split(separator: "\n") { text += "    " + line + "\n" }
  }

  private mutating func add(_ warnings: Inspection.Warnings) {
    guard !warnings.isEmpty else { return }
    section("warnings")
    for (kind, count) in warnings.counts.entries {
      let first = warnings.first.filter { $0.kind == kind }
      for warning in first.prefix(5) { text += "    " + color(warning.description, .warning) + "\n" }
      more(count - min(first.count, 5))
    }
  }

  private mutating func more(_ count: Int) {
    if count > 0 { text += "    " + color("… \(count) more", .faint) + "\n" }
  }

  // MARK: Many files

  /// Adds a summary of many files.
  mutating func add(_ summary: Inspection.Summary) {
    let others = summary.otherFiles.total
    heading(
      "\(summary.fileCount.counted("file")), \(summary.byteCount.counted("byte"))"
        + (others > 0 ? ", \(others) of other kinds" : "")
        + (summary.failedFileCount > 0 ? ", \(summary.failedFileCount) failed" : ""))
    if !summary.formats.isEmpty { section("formats") }
    list(summary.formats.mostFrequent.map { ($0.count, $0.subject.rawValue) }, indent: 4)
    if others > 0 {
      section("other kinds")
      list(summary.otherFiles.mostFrequent.map { ($0.count, $0.subject) }, indent: 4)
    }
    if !summary.archivers.isEmpty {
      section("archivers")
      list(
        summary.archivers.mostFrequent.map {
          ($0.count, $0.subject.isEmpty ? "none" : color($0.subject, .type))
        },
        indent: 4)
    }
    if !summary.archivers.isEmpty || summary.objectCount > 0 {
      row(
        "objects",
        "\(summary.objectCount), depth up to \(summary.depth), cycles in \(summary.filesWithCycles.counted("file"))"
      )
    }
    if !summary.classes.isEmpty {
      section("classes: \(summary.classes.count)")
      list(
        summary.classes.mostFrequent.map { type in
          (
            type.count,
            color(type.subject, .type)
              + color("  in \(summary.filesOfClass[type.subject].counted("file"))", .faint)
          )
        }, indent: 4)
    }
    if !summary.blobs.isEmpty {
      section("nested" + (summary.nestedFiles > 0 ? ": \(summary.nestedFiles) looked into" : ""))
      list(summary.blobs.mostFrequent.map { ($0.count, $0.subject.rawValue) }, indent: 4)
    }
    if !summary.warnings.isEmpty {
      section("warnings")
      list(
        summary.warnings.mostFrequent.map { warning in
          (
            warning.count,
            color(warning.subject.description, .warning)
              + color("  in \(summary.filesOfWarning[warning.subject].counted("file"))", .faint)
          )
        }, indent: 4)
    }
  }
}
