/// A kind of document that an app saves: the names of its files, and their contents.
///
///     DocumentType.peopleGroup.extensions      // ["pplgrp"]
///     DocumentType.ofFile(named: "Mine.mystuff")?.layout   // .package(main: "things.data", …)
public struct DocumentType: Hashable, Sendable {
  /// The name of the type, in messages and on the command line: `people-group`.
  public var name: String
  /// The uniform type identifier: `com.neuburg.pplgrp`.
  public var identifier: String
  /// The extensions of its files or packages, the usual one first.
  public var extensions: [String]
  /// The schema of its records; nil if it has none.
  public var schema: Schema?
  /// The files that make up a document.
  public var layout: DocumentLayout

  /// Creates a type.
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

/// The files that make up a document of a type.
public enum DocumentLayout: Hashable, Sendable {
  /// One file in a format.
  case file(Format)
  /// A folder that acts as one file. The file `main` holds the records in a format. A field of the records
  /// (`files`, by its name in the schema) holds the name of another file in the package, such as a thing's
  /// picture.
  case package(main: String, Format, files: String?)
}
