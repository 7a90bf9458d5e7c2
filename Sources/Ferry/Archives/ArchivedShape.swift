/// How a value of the tape lies in an archive.
struct ArchivedShape {
  enum Layout {
    /// Bare in `$objects`: strings, numbers, data.
    case bare
    /// The keys of its class, which the catalogue knows.
    case keys([ArchivedKey])
    /// `NS.objects`.
    case list
    /// `NS.object.0` …
    case numberedList
    /// `NS.keys` and `NS.objects`.
    case dictionary
    /// Its own keys.
    case fields
    case unknown
  }

  let layout: Layout
  /// The class that the object names; nil for bare values.
  let type: ObjectClass?
  /// Where the content begins: the value itself, or what an object holds.
  let content: Int
}

/// Finds the shapes of the values on a tape.
final class ArchivedShapes {
  private let recorder: TapeRecorder
  private let index: CatalogueIndex
  private let meanings: MeaningUse

  private var tape: EventTape { recorder.tape }

  init(_ recorder: TapeRecorder, _ catalogue: Catalogue, _ meanings: MeaningUse) {
    self.recorder = recorder
    self.meanings = meanings
    index = CatalogueIndex(catalogue)
  }

  /// The shape of the value at a place.
  func shape(at place: Int) throws(Failure) -> ArchivedShape {
    guard tape.kind(at: place) == .beginObject else { return try shape(ofPlain: place) }
    let (content, type) = (place + 1, tape.type(at: place))
    if let shape = try shape(ofMeaningAt: content, type) { return shape }
    let layout: ArchivedShape.Layout =
      switch tape.kind(at: content) {
      case .beginArray: type.inherits(from: "NSOrderedSet") ? .numberedList : .list
      case .beginSet: .list
      case .beginDictionary: type.inherits(from: "NSDictionary") ? .dictionary : .fields
      default: .unknown
      }
    return ArchivedShape(layout: layout, type: type, content: content)
  }

  private func shape(ofPlain place: Int) throws(Failure) -> ArchivedShape {
    func shape(_ layout: ArchivedShape.Layout, _ type: ObjectClass? = nil) -> ArchivedShape {
      ArchivedShape(layout: layout, type: type, content: place)
    }
    switch tape.kind(at: place) {
    case .beginArray: return shape(.list, .array)
    case .beginSet: return shape(.list, .set)
    case .beginDictionary: return shape(.dictionary, .dictionary)
    // A bare string "$null" is nil to programs, whichever object it is.
    case .string, .key:
      guard tape.text(at: place).equals("$null") else { return shape(.bare) }
      return shape(.keys([ArchivedKey("NS.string", .scalar(at: place))]), ObjectClass("NSString"))
    case .data, .integer, .real, .single, .boolean: return shape(.bare)
    case .null: return shape(.keys([]), .null)
    case .date: return shape(.keys(try keys(of: .date, place)), .date)
    case .number: return shape(.keys(try keys(of: .decimalNumber, place)), .decimalNumber)
    default: return shape(.unknown)
    }
  }

  private func keys(of type: ObjectClass, _ place: Int) throws(Failure) -> [ArchivedKey] {
    guard let entry = index[type] ?? Catalogue.standard.entry(for: type) else { return [] }
    return try keys(of: entry, type, place) ?? []
  }

  /// The keys of a meaning, or nil for archived keys; a failure for what is neither.
  private func keys(
    of entry: CatalogueEntry, _ type: ObjectClass, _ place: Int
  ) throws(Failure) -> [ArchivedKey]? {
    let given = GivenMeaning(at: place, of: tape)
    let isDictionary = given.kind == .beginDictionary
    // An object's own keys are no names of parts. Of none at all it cannot be told what they are.
    if isDictionary, try given.parts(named: entry.partNames)?.isEmpty ?? true { return nil }
    if let keys = try entry.meaning.keys(for: given, of: type) { return keys }
    if isDictionary, try given.parts(named: entry.meaning.archivedNames) != nil { return nil }
    throw entry.noMeaning
  }

  /// The shape of an object that holds what its class means; nil for one that holds a collection, or its archived keys.
  private func shape(ofMeaningAt content: Int, _ type: ObjectClass) throws(Failure) -> ArchivedShape? {
    let kind = tape.kind(at: content)
    if kind == .beginDictionary, meanings == .scalars { return nil }
    guard let entry = index[type] ?? Self.fallback(for: kind),
      let keys = try keys(of: entry, type, content)
    else { return nil }
    // A class that nothing is known of but its name has the superclasses that Foundation gives it.
    let named = meanings == .all && type.chain.isEmpty && type.name == entry.type.name ? entry.type : type
    return ArchivedShape(layout: .keys(keys), type: named, content: content)
  }

  /// How a scalar is archived that is an object of an unknown class.
  private static func fallback(for kind: EventTape.Kind) -> CatalogueEntry? {
    switch kind {
    case .string: Catalogue.standard.entry(for: .mutableString)
    case .data: Catalogue.standard.entry(for: .mutableData)
    case .date: Catalogue.standard.entry(for: .date)
    case .null: Catalogue.standard.entry(for: .null)
    default: nil
    }
  }
}
