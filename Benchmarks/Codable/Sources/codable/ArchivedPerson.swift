import Foundation

/// A person of an archive, as an app without `Codable` has it.
final class ArchivedPerson: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true

  let person: Person

  init?(coder: NSCoder) {
    guard let first = coder.decodeObject(of: NSString.self, forKey: "first") as? String,
      let last = coder.decodeObject(of: NSString.self, forKey: "last") as? String,
      let tags = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "tags") as? [String]
    else { return nil }
    person = Person(
      id: coder.decodeInteger(forKey: "id"), first: first, last: last,
      age: coder.decodeInteger(forKey: "age"),
      height: coder.decodeDouble(forKey: "height"), tags: tags)
  }

  func encode(with coder: NSCoder) {
    coder.encode(person.id, forKey: "id")
    coder.encode(person.first as NSString, forKey: "first")
    coder.encode(person.last as NSString, forKey: "last")
    coder.encode(person.age, forKey: "age")
    coder.encode(person.height, forKey: "height")
    coder.encode(person.tags.map { $0 as NSString } as NSArray, forKey: "tags")
  }

  /// Decodes the people of an archive with `NSKeyedUnarchiver`.
  static func people(in archive: Data) throws -> [ArchivedPerson] {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
    unarchiver.setClass(ArchivedPerson.self, forClassName: "Person")
    let root = unarchiver.decodeObject(
      of: [NSArray.self, ArchivedPerson.self], forKey: NSKeyedArchiveRootObjectKey)
    if let error = unarchiver.error { throw error }
    guard let people = root as? [ArchivedPerson] else { throw CocoaError(.coderValueNotFound) }
    return people
  }
}
