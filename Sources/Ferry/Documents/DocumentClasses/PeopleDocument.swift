/// A people group (`.pplgrp`): an archive of an NSArray of `Person`.
///
///     let document = PeopleDocument(path: "Mine.pplgrp")
///     try await document.open()
///     await document.edit { $0.people.append(PeopleDocument.Person(first: "Ada", last: "Lovelace")) }
///     try await document.close()
///
/// Opening accepts objects of any class that have these two keys. Saving writes them as `Person` and drops
/// other keys.
public final class PeopleDocument: Document {
  /// A person of the group.
  public struct Person: Codable, Hashable, Sendable {
    /// The last name, which comes first in an archive.
    public var last: String
    /// The first name.
    public var first: String

    /// Creates a person.
    public init(first: String, last: String) {
      self.last = last
      self.first = first
    }
  }

  /// The people, in order.
  public var people: [Person] = []

  /// Creates a document at a path without reading it. `open` reads it.
  public nonisolated convenience init(path: String, autosaving: Autosaving = .after(.seconds(2))) {
    self.init(path: path, type: .peopleGroup, autosaving: autosaving)
  }

  public override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
    .file(try FerryError.ofCoding { try KeyedArchiveEncoder().encode(people) })
  }

  public override func load(fromContents contents: DocumentContents, ofType type: DocumentType)
    throws(FerryError)
  {
    let bytes = try contents.file
    people = try FerryError.ofCoding { try KeyedArchiveDecoder().decode([Person].self, from: bytes) }
  }
}
