import ArgumentParser
import Ferry

/// `ferry formats`: lists formats and document types.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the formats, what they cannot hold, and the document types.",
    discussion: """
      A format that cannot hold a value gets text, an array or the like in its place, which ferry convert reports. \
      --form typed keeps every value in XML, JSON and property lists.

      --info-plist prints the entries that an app needs in its Info.plist for documents of a type. \
      Documentation/Documents.md describes the file of --types.

        ferry formats
        ferry formats --info-plist people-group
      """)

  @Option(
    name: .customLong("info-plist"),
    help: ArgumentHelp("Print the Info.plist entries for a document type.", valueName: "type"),
    completion: .list(DocumentType.builtIn.map(\.name)))
  var infoType: String?

  @OptionGroup var types: TypeOptions

  func validate() throws { try types.checkOnlyFile() }

  func run() throws {
    let types = try types.load()
    if let infoType { return try printInfo(infoType, types) }
    var lines = Format.allCases.flatMap(Self.lines)
    lines.append("document types:")
    lines += types.types.map(Self.line)
    lines.append("schemas: \(Schema.builtIn.map(\.name).joined(separator: ", "))")
    try NamedOutput.print(lines.map { $0.withoutControls + "\n" }.joined())
  }

  private static func lines(of format: Format) -> [String] {
    var lines = [([format.rawValue] + format.aliases).joined(separator: ", "), "  \(format.summary)"]
    if !format.extensions.isEmpty {
      lines.append("  files: \(format.extensions.map { ".\($0)" }.joined(separator: " "))")
    }
    let reading = !format.canRead ? "not read" : format.streams ? "streams: memory stays flat" : "read whole"
    lines.append("  \(format.canWrite ? reading : reading + ", not written")")
    let missing = Format.ofRecords.contains(format) ? format.capabilities.missing : []
    if !missing.isEmpty { lines.append("  cannot hold: \(missing.joined(separator: ", "))") }
    return lines
  }

  private static func line(of type: DocumentType) -> String {
    let extensions = type.extensions.map { ".\($0)" }.joined(separator: " ")
    let layout =
      switch type.layout {
      case .file(let format): "a file, \(format.rawValue)"
      case .package(let main, let format, let files):
        "a package, records in \(main) (\(format.rawValue))" + (files.map { ", files named by \($0)" } ?? "")
      }
    let schema = type.schema.map { "; schema \($0.name)" } ?? ""
    return "  \(type.name) \(extensions) \(type.identifier): \(layout)\(schema)"
  }

  private func printInfo(_ name: String, _ types: DocumentTypes) throws {
    guard let type = types.type(named: name) else {
      throw ValidationError("\(FerryError(.package(.noSuchType(name, known: types.types.map(\.name))))).")
    }
    try NamedError.naming(NamedOutput.standardName) { () throws(FerryError) in
      let writer = XMLPropertyListWriter(to: NamedOutput.standard)
      try type.infoPropertyList.replay(into: writer)
      try writer.finish()
    }
  }
}
