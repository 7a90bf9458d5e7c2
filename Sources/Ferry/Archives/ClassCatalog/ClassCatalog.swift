/// A catalog of the classes whose archived objects Ferry decodes and encodes.
///
///     let color = ClassCatalog.standard.entry(for: ObjectClass("NSColor"))
///     try color?.archivedKeys(for: "#FF8000FF")     // NSColorSpace 1, NSRGB "1 0.5019607843 0"
///
/// A reader with a catalog sends an object of such a class in its decoded form. A writer archives a decoded
/// form under the archived keys of the class. An object with unexpected keys is not decoded, so that it keeps
/// all its keys. `Documentation/Classes.md` lists the classes.
public struct ClassCatalog: Sendable {
  private var entries: [ExactString: ClassCatalogEntry] = [:]

  /// The built-in classes, from Foundation, AppKit, UIKit and Core Location.
  public static let standard = ClassCatalog(
    ScalarCodec.entries + DecimalNumberCodec.entries + ValueCodec.entries + IndexSetCodec.entries
      + IndexPathCodec.entries + CountedSetCodec.entries + CharacterSetCodec.entries
      + AttributedStringCodec.entries + AffineTransformCodec.entries + DateRecords.entries
      + MeasurementRecords.entries + FoundationRecords.entries + ColorCodec.entries
      + UIColorCodec.entries + TextRecords.entries + ImageRecords.entries + LocationRecords.entries)

  init(_ entries: [ClassCatalogEntry]) {
    self.entries.reserveCapacity(entries.count)
    for entry in entries { self.entries[entry.type.name] = entry }
  }

  /// The names of the classes, sorted.
  public var names: [String] { entries.keys.sorted().map(\.string) }

  /// Returns the entry of a class, or of its nearest superclass with an entry, or nil if there is none.
  public func entry(for type: ObjectClass) -> ClassCatalogEntry? {
    if let entry = entries[type.name] { return entry }
    for name in type.chain {
      if let entry = entries[name] { return entry }
    }
    return nil
  }

  /// Returns true if a class was declared in a class file.
  func isGiven(className: String) -> Bool { entries[className]?.isGiven == true }

  /// Returns the class with a name, including its superclasses, or nil if the catalog has no class with
  /// exactly this name.
  func type(named name: String) -> ObjectClass? { entries[name]?.type }

  /// Returns this catalog with the classes of another one added. They replace classes of the same name.
  public func adding(_ others: ClassCatalog) -> ClassCatalog {
    var sum = self
    sum.entries.merge(others.entries) { _, new in new }
    return sum
  }

  /// Returns this catalog without the classes whose names satisfy a condition.
  func removing(where isRemoved: (String) -> Bool) -> ClassCatalog {
    var rest = self
    for name in entries.keys where isRemoved(name.string) { rest.entries[name] = nil }
    return rest
  }
}

/// The objects that are sent and encoded in decoded form.
public enum DecodedFormUse: Sendable {
  /// Only objects whose decoded form is a single scalar, such as the string of a URL. All other objects keep
  /// their archived keys. This is sufficient for conversions between archives.
  case scalars
  /// All objects of classes in the catalog.
  case all
}

/// A cache of catalog entries by class.
final class ClassCatalogIndex {
  private let catalog: ClassCatalog
  private var found: [ObjectIdentifier: ClassCatalogEntry?] = [:]
  /// The classes in the cache. They are retained, because a new class could get the identity of a released
  /// one.
  private var types: [ObjectClass] = []

  init(_ catalog: ClassCatalog) { self.catalog = catalog }

  subscript(type: ObjectClass) -> ClassCatalogEntry? {
    if let known = found[ObjectIdentifier(type)] { return known }
    let entry = catalog.entry(for: type)
    found[ObjectIdentifier(type)] = .some(entry)
    types.append(type)
    return entry
  }
}
