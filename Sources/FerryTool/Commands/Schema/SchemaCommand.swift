import ArgumentParser

/// `ferry schema`: finds, checks and shows schemas.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Infer a schema from files, check files against one, show it.",
    discussion: """
      A schema describes the records of files: their fields, lists and types. Documentation/Schemas.md describes its \
      notation.

        ferry schema infer folks.xml -o folk.schema.json
        ferry convert folks.xml --schema folk.schema.json --to json
        ferry schema check folks.xml --schema folk.schema.json
      """,
    subcommands: [
      SchemaInferCommand.self, SchemaCheckCommand.self, SchemaShowCommand.self, SchemaListCommand.self,
    ])
}
