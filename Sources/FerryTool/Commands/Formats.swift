import ArgumentParser
import Ferry

/// `ferry formats`: what is known.
struct Formats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the formats, what each cannot hold, and the types of documents.",
    discussion: """
      --info-plist prints what an app that has documents of a type says of them in its Info.plist. \
      Documentation/Documents.md describes the file that --types takes.
      """)

  @Option(
    name: .customLong("info-plist"),
    help: ArgumentHelp("Print the part of an Info.plist for a type of document.", valueName: "type"))
  var infoType: String?

  @OptionGroup var documents: TypeOptions

  func run() throws {
    let types = try documents.load()
    if let infoType { return try printInfo(infoType, types) }
    for format in Format.allCases { describe(format) }
    print("document types:")
    for type in types.types { describe(type) }
    print("schemas: \(Schema.builtIn.map(\.name).joined(separator: ", "))")
  }

  private func describe(_ format: Format) {
    let names = ([format.rawValue] + format.aliases).joined(separator: ", ")
    print(names)
    print("  \(format.summary)")
    if !format.extensions.isEmpty {
      print("  files: \(format.extensions.map { ".\($0)" }.joined(separator: " "))")
    }
    let reading = format.streams ? "streams: memory stays flat" : "read whole"
    print("  \(format.canWrite ? reading : reading + ", not written")")
    guard Format.ofRecords.contains(format) else { return }
    let missing = format.holding.missing
    if !missing.isEmpty { print("  cannot hold: \(missing.joined(separator: ", "))") }
  }

  private func describe(_ type: DocumentType) {
    let extensions = type.extensions.map { ".\($0)" }.joined(separator: " ")
    let layout =
      switch type.layout {
      case .file(let format): "a file, \(format.rawValue)"
      case .package(let main, let format, let files):
        "a package, records in \(main) (\(format.rawValue))" + (files.map { ", files named by \($0)" } ?? "")
      }
    let schema = type.schema.map { "; schema \($0.name)" } ?? ""
    print("  \(type.name) \(extensions) \(type.identifier): \(layout)\(schema)".withoutControls)
  }

  private func printInfo(_ name: String, _ types: DocumentTypes) throws {
    guard let type = types.type(named: name) else {
      throw ValidationError("\(Failure(.package(.noSuchType(name, known: types.types.map(\.name))))).")
    }
    do throws(Failure) {
      let writer = XMLPropertyListWriter(to: StandardOutput())
      try type.infoPropertyList.replay(into: writer)
      try writer.finish()
    } catch {
      guard error.reason != .file(.brokenPipe) else { return }
      StandardError.write(NamedFailure(name: "standard output", failure: error).line)
      throw ExitCode.failure
    }
  }
}
