/// A kind of document: the file extensions, the files that make it up, and the schema of its records.
///
///     DocumentType.peopleGroup.extensions      // ["pplgrp"]
///     DocumentType.ofFile(named: "Mine.mystuff")?.layout   // .package(main: "things.data", …)
public struct DocumentType: Hashable, Sendable {
  /// The name for messages and the command line: `people-group`.
  public var name: String
  /// The uniform type identifier (UTI): `com.neuburg.pplgrp`.
  public var identifier: String
  /// The file extensions without a dot, the preferred one first.
  public var extensions: [String]
  /// The schema of the records, or nil if there is none.
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
  /// A folder that acts as one file. The file `main` holds the records in the given format. The field `files`
  /// of a record, by its name in the schema, holds the name of another file in the package, such as an image.
  case package(main: String, Format, files: String?)
}
