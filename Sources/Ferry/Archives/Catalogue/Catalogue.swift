/// The classes whose archived objects Ferry understands: for each its plain meaning, and the way back.
///
///     let color = Catalogue.standard.entry(for: ObjectClass("NSColor"))
///     try color?.archivedKeys(for: "#FF8000FF")     // NSColorSpace 1, NSRGB "1 0.5019607843 0"
///
/// A reader that is given a catalogue sends an object of such a class as its meaning; a writer archives the meaning under
/// the class's own keys again. An object that has other keys than its class is known to have keeps every key.
/// `Documentation/Classes.md` lists the classes.
public struct Catalogue: Sendable {
  private var entries: [String: CatalogueEntry] = [:]

  /// The classes of Foundation, AppKit, UIKit and Core Location that Ferry knows.
  public static let standard = Catalogue(
    ScalarMeaning.entries + DecimalNumberMeaning.entries + ValueMeaning.entries + IndexSetMeaning.entries
      + IndexPathMeaning.entries + CountedSetMeaning.entries + CharacterSetMeaning.entries
      + AttributedStringMeaning.entries + AffineTransformMeaning.entries + DateRecords.entries
      + MeasurementRecords.entries + FoundationRecords.entries + ColorMeaning.entries
      + UIColorMeaning.entries + TextRecords.entries + ImageRecords.entries + LocationRecords.entries)

  init(_ entries: [CatalogueEntry]) {
    for entry in entries { self.entries[entry.type.name] = entry }
  }

  /// The names of the classes, sorted.
  public var names: [String] { entries.keys.sorted() }

  /// The entry of a class, or of the nearest of its superclasses that has one; nil when there is none.
  public func entry(for type: ObjectClass) -> CatalogueEntry? {
    if let entry = entries[type.name] { return entry }
    for name in type.chain {
      if let entry = entries[name] { return entry }
    }
    return nil
  }

  /// The class of a name, with its superclasses; nil when the catalogue has none of just that name.
  func type(named name: String) -> ObjectClass? { entries[name]?.type }

  /// This catalogue and more classes; where both have one, that of the others counts.
  public func adding(_ others: Catalogue) -> Catalogue {
    var sum = self
    sum.entries.merge(others.entries) { _, new in new }
    return sum
  }

  /// This catalogue without the classes whose names satisfy `isRemoved`.
  func removing(where isRemoved: (String) -> Bool) -> Catalogue {
    var rest = self
    rest.entries = entries.filter { !isRemoved($0.key) }
    return rest
  }
}

/// Which meanings a reader sends, and a writer takes for what they are.
public enum MeaningUse: Sendable {
  /// Those that are one scalar, such as a URL's string; objects of all other classes keep their archived keys. Between two
  /// archives nothing else is needed.
  case scalars
  /// All: what a person would write.
  case all
}

/// What has been looked up in a catalogue, one class at a time.
final class CatalogueIndex {
  private let catalogue: Catalogue
  private var found: [ObjectIdentifier: CatalogueEntry?] = [:]
  /// Kept alive, so that no other class takes the place of one that has been looked up.
  private var types: [ObjectClass] = []

  init(_ catalogue: Catalogue) { self.catalogue = catalogue }

  subscript(type: ObjectClass) -> CatalogueEntry? {
    if let known = found[ObjectIdentifier(type)] { return known }
    let entry = catalogue.entry(for: type)
    found[ObjectIdentifier(type)] = .some(entry)
    types.append(type)
    return entry
  }
}
