/// A page that shows a file: its values as a tree, its classes, and the references between its objects.
///
///     let page = try ValuePage(reading: bytes, named: "people.pplgrp")
///     try page.write(to: FileOutput(path: "page.html"))
///
/// The page is one HTML file that opens without a network. It also shows the documents inside data, images, and the entries of
/// archives beside their objects.
public struct ValuePage: Sendable {
  private let name: String
  private let nodes: PageNodes
  private let facts: PageFacts
  /// False for the records of a database, and for the values that a document in the typed form describes, because paths lead into its text.
  private let hasPaths: Bool
  /// Notes on the reading, as in the report of a conversion.
  public let notes: [Note]

  /// Reads the values of a file.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - name: The name of the file.
  ///   - options: The options for reading.
  ///   - limits: The limits on the contents of the page.
  /// - Throws: A `FerryError` with the source location and the path.
  public init(
    reading bytes: [UInt8], named name: String, options: ReadingOptions = ReadingOptions(),
    limits: PageLimits = PageLimits()
  ) throws(FerryError) {
    try self.init(reading: bytes, named: name, options: options, limits: limits, attachments: nil)
  }

  /// Reads the values of a file, which may be the file with the records of a package.
  ///
  /// - Parameter attachments: The other files of the package, which the page shows where a text names them.
  package init(
    reading bytes: [UInt8], named name: String, options: ReadingOptions, limits: PageLimits,
    attachments: PageAttachments?
  ) throws(FerryError) {
    var options = options
    (options.marksShared, options.decodedForms, options.expandsData) = (true, .all, true)
    if options.shared == .reference { options.objectSharing = .numbered }
    let use = PageUse()
    let collector = PageCollector(limits: limits, attachments: attachments, use: use)
    var entries: [(collector: PageCollector, base: String?)] = []
    let values = SeparatedEntries(to: PageKeys(to: collector)) { path, isInData throws(FerryError) in
      let collector = PageCollector(limits: limits, attachments: attachments, use: use)
      collector.key(describedAs: ArchiveEntryTitle.text(ofArchiveAt: path, isInData: isInData))
      let base = path.isEmpty ? "" : path.description
      // A path as long as a key that is cut is left out.
      entries.append((collector, base.utf8.count > limits.text ? nil : base))
      return PageKeys(to: collector)
    }
    notes = try options.read(MemoryInput(bytes), named: name, into: values) { values.path }
    var nodes = collector.nodes
    for (collector, base) in entries { nodes.append(collector.nodes, base: base) }
    self.nodes = nodes
    var facts = PageFacts(of: bytes, named: name, options)
    if let attachments { facts.add(attachments) }
    self.facts = facts
    let detected = try DetectedInput(MemoryInput(bytes), named: name, options, opensArchive: true)
    let hasPathsOfText = try detected.hasPathsOfText(budget: options.budget)
    hasPaths = !facts.isDatabase && !hasPathsOfText
    self.name = name
  }

  /// Writes the page.
  public func write(to output: any ByteOutput) throws(FerryError) {
    let (name, nodes, facts, hasPaths) = (name, nodes, facts, hasPaths)
    try PageFile(title: name).write(to: output) { block throws(FerryError) in
      try block.add("title", name)
      try block.add("hasPaths", hasPaths ? 1 : 0)
      try facts.add(to: block)
      try block.add("values", nodes)
    }
  }
}
