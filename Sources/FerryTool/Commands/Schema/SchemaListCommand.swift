import ArgumentParser
import Ferry

/// `ferry schema list`: lists the built-in schemas.
struct SchemaListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the built-in schemas.")

  func run() throws {
    let lines = Schema.builtIn.map { schema in
      let extensions = schema.documentExtensions.map { " .\($0)" }.joined()
      let fields = schema.record.fields.map(\.name).joined(separator: ", ")
      return
        "\(schema.name)\(extensions): <\(schema.record.element)> in <\(schema.collectionElement)>, \(fields)\n"
    }
    try NamedOutput.print(lines.joined())
  }
}
