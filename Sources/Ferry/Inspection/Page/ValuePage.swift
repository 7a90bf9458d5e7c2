/// A page that shows a file: its values as a tree, its classes, and the references between its objects.
///
///     let page = try ValuePage(reading: bytes, named: "people.pplgrp")
///     try page.write(to: FileOutput(path: "page.html"))
///
/// The page is one HTML file that opens without a network. It also shows the documents inside data, and images.
public struct ValuePage {
  private let name: String
  private let nodes: PageNodes
  private let facts: PageFacts
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
    var options = options
    (options.marksShared, options.decodedForms, options.expandsData) = (true, .all, true)
    if options.shared == .reference { options.objectSharing = .numbered }
    let collector = PageCollector(limits: limits)
    notes = try options.read(MemoryInput(bytes), named: name, into: PageKeys(to: collector))
    nodes = collector.nodes
    facts = PageFacts(of: bytes, named: name, options)
    self.name = name
  }

  /// Writes the page.
  public func write(to output: any ByteOutput) throws(FerryError) {
    let (name, nodes, facts) = (name, nodes, facts)
    try PageFile(title: name).write(to: output) { block throws(FerryError) in
      try block.add("title", name)
      try block.add("hasPaths", facts.isDatabase ? 0 : 1)
      try facts.add(to: block)
      try block.add("values", nodes)
    }
  }
}
