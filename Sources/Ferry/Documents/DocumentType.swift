/// A kind of document that an app saves: how its files are named, and what is in them.
///
///     DocumentType.peopleGroup.extensions      // ["pplgrp"]
///     DocumentType.ofFile(named: "Mine.mystuff")?.layout   // .package(main: "things.data", …)
public struct DocumentType: Hashable, Sendable {
  /// What the type is called, in words and on the command line: `people-group`.
  public var name: String
  /// Its uniform type identifier: `com.neuburg.pplgrp`.
  public var identifier: String
  /// The extensions of its files or packages, the usual one first.
  public var extensions: [String]
  /// How its records look; nil when it has none.
  public var schema: Schema?
  /// What a document is made of.
  public var layout: DocumentLayout

  /// A type of these parts.
  public init(
    name: String, identifier: String, extensions: [String], schema: Schema? = nil, layout: DocumentLayout
  ) {
    self.name = name
    self.identifier = identifier
    self.extensions = extensions
    self.schema = schema
    self.layout = layout
  }
}

/// What a document of a type is made of.
public enum DocumentLayout: Hashable, Sendable {
  /// One file of a format.
  case file(Format)
  /// A folder that acts as a file: its `main` file is of a format and holds the records; a field of them (`files`, by its
  /// name in the schema) names another file of the package, such as a thing's picture.
  case package(main: String, Format, files: String?)
}
