/// The facts of an inspection on a page: lines about the file, and its classes, keys, elements and warnings.
struct PageFacts {
  private var lines: [(label: String, text: String)] = []
  private var classes: [Inspection.Class] = []
  private var keys: [Inspection.Key] = []
  private var warnings: [String] = []
  /// True for a database, whose records have no paths.
  private(set) var isDatabase = false

  /// Inspects a file. A file that can be read but not inspected has a line with the reason.
  init(of bytes: [UInt8], named name: String, _ options: ReadingOptions) {
    do throws(FerryError) {
      add(
        try Inspection(
          reading: MemoryInput(bytes), named: name, format: options.format,
          declared: options.declaredFormats, encoding: options.encoding, budget: options.budget))
    } catch {
      add("Inspection", error.message)
    }
  }

  /// The number of names of files in a line.
  private static let mostNames = 40

  /// Adds a line about the files of a package.
  mutating func add(_ attachments: PageAttachments) {
    let names = attachments.names
    guard !names.isEmpty else { return }
    let shown = names.prefix(Self.mostNames).joined(separator: ", ")
    add("Other files", "\(names.count): \(shown)\(names.count > Self.mostNames ? ", …" : "")")
  }

  private mutating func add(_ label: String, _ text: String) { lines.append((label, text)) }

  private mutating func add(_ inspection: Inspection) {
    add("Format", "\(inspection.format.rawValue): \(inspection.format.summary)")
    if inspection.isSigned { add("Signature", "not verified") }
    if !inspection.compressions.isEmpty {
      add("Compression", inspection.compressions.map(\.rawValue).joined(separator: ", then "))
    }
    add("Size", inspection.byteCount.counted("byte"))
    if let encoding = inspection.encoding { add("Encoding", encoding) }
    if let archive = inspection.archive { add(archive) }
    if let document = inspection.document { add(document) }
    if let store = inspection.store { add(store) }
    if let values = inspection.values { add(values) }
    if let table = inspection.table {
      add(
        "Stored",
        "\(table.objectCount.counted("object")), \(table.offsetWidth)-byte offsets, "
          + "\(table.referenceWidth)-byte references")
    }
    if !inspection.blobs.isEmpty {
      let kinds = inspection.blobs.counts.mostFrequent.map { "\($0.count) \($0.subject.rawValue)" }
      add("Files in data", kinds.joined(separator: ", "))
    }
    warnings = inspection.warnings.first.map(\.description)
  }

  private mutating func add(_ archive: Inspection.Archive) {
    if archive.hasArchiver {
      let version = archive.version.map { ", version \($0)" } ?? ", no version"
      add("Archiver", (archive.archiver ?? "none") + version)
    }
    if !archive.otherEntries.isEmpty {
      let entries = archive.otherEntries
      let shown = entries.prefix(Self.mostNames).map { "\($0.name) (\($0.kind.rawValue))" }
      let more = entries.count > Self.mostNames ? ", …" : ""
      add("Beside the objects", "\(entries.count): \(shown.joined(separator: ", "))\(more)")
    }
    add(
      "Objects",
      "\(archive.objectCount): \(archive.instances.counted("instance")), "
        + "\(archive.bareValues.total.counted("plain value")), \(archive.unreachable) unreachable")
    add("References", "\(archive.graph.referenceCount)")
    add("Cycles", archive.cycles == 0 ? "none" : "\(archive.cycles), of \(archive.objectsOnCycles) objects")
    add(
      "Shared",
      "\(archive.sharedObjects.counted("instance")), \(archive.sharedValues.counted("plain value"))"
    )
    classes = archive.classes
  }

  private mutating func add(_ values: Inspection.Values) {
    add("Depth", "\(values.depth)")
    add("Values", values.kinds.present.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", "))
    (classes, keys) = (values.classes, values.keys)
  }

  private mutating func add(_ document: Inspection.Document) {
    add("Root", document.root)
    add("Elements", "\(document.elementCount) of \(document.elements.count.counted("name"))")
    for namespace in document.namespaces { add("Namespace", namespace.name) }
  }

  private mutating func add(_ store: Inspection.Store) {
    isDatabase = true
    if store.isCoreData { add("Store", "Core Data") }
    for table in store.tables {
      add("Table", table.name + (table.rows.map { ": \($0.counted("row"))" } ?? ""))
    }
  }

  // MARK: Output

  /// The greatest number of keys in a list of a page.
  private static let keyLimit = 2000

  /// Adds the facts to the data of a page.
  func add(to block: PageBlock) throws(FerryError) {
    try block.add("facts", each: lines) { block, line throws(FerryError) in
      try block.add("label", line.label)
      try block.add("text", line.text)
    }
    try block.add("classes", each: classes) { block, type throws(FerryError) in
      try block.add("name", type.name)
      try block.add("superclasses", type.superclasses)
      try block.add("count", type.count)
      try Self.add(type.keys, to: block)
    }
    try Self.add(keys, to: block)
    try block.add("warnings", warnings)
  }

  private static func add(_ keys: [Inspection.Key], to block: PageBlock) throws(FerryError) {
    try block.add("keys", each: keys.prefix(keyLimit)) { block, key throws(FerryError) in
      try block.add("name", key.name)
      try block.add("count", key.count)
      try block.add("types", key.types.map { "\($0.name) \($0.count)" })
    }
    try block.add("keysLeft", max(0, keys.count - keyLimit))
  }
}
