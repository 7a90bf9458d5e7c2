/// The layout in an archive of a value on a tape.
struct ArchivedShape {
  enum Layout {
    /// An object without a class: a string, a number or data.
    case bare
    /// The archived keys that the class's codec has made.
    case keys([ArchivedKey])
    /// `NS.objects`.
    case list
    /// `NS.object.0` …
    case numberedList
    /// `NS.keys` and `NS.objects`.
    case dictionary
    /// `NS.key.0` and `NS.object.0` …
    case numberedDictionary
    /// The entries of a dictionary as archived keys of the object.
    case fields
    case unknown
  }

  let layout: Layout
  /// The class of the object, or nil for values without a class.
  let type: ObjectClass?
  /// The tape index of the content of an object, or of the value itself.
  let content: TapeIndex
}

/// A table of the layouts of the values on a tape.
final class ArchivedShapes {
  private let index: ClassCatalogIndex
  private let decodedForms: DecodedFormUse
  private let storage: ArchivedStorage

  init(_ catalog: ClassCatalog, _ decodedForms: DecodedFormUse, _ storage: ArchivedStorage) {
    (self.decodedForms, self.storage) = (decodedForms, storage)
    index = ClassCatalogIndex(catalog)
  }

  /// Returns the layout of the value at a tape index.
  func shape(at tapeIndex: TapeIndex, on tape: EventTape) throws(FerryError) -> ArchivedShape {
    guard tape.kind(at: tapeIndex) == .beginObject else { return try shape(ofPlain: tapeIndex, tape) }
    let (content, type) = (tapeIndex + 1, tape.type(at: tapeIndex))
    if let shape = try shape(ofDecodedFormAt: content, type, tape) { return shape }
    let layout: ArchivedShape.Layout =
      switch tape.kind(at: content) {
      case .beginArray where !storage.hasUnusualCollections:
        type.inherits(from: "NSOrderedSet") ? .numberedList : .list
      case .beginArray, .beginSet: isApart(content, type, tape) ? .numberedList : .list
      case .beginDictionary where ArchivedCollection.Kind(of: type) == .dictionary:
        isApart(content, type, tape) ? .numberedDictionary : .dictionary
      case .beginDictionary: .fields
      default: .unknown
      }
    return ArchivedShape(layout: layout, type: type, content: content)
  }

  /// Returns true if the elements of a collection are entries of its object.
  private func isApart(_ content: TapeIndex, _ type: ObjectClass, _ tape: EventTape) -> Bool {
    storage.hasUnusualCollections
      && storage.isApart(type, isEmpty: tape.next(after: content) == content + 2)
  }

  private func shape(ofPlain tapeIndex: TapeIndex, _ tape: EventTape) throws(FerryError) -> ArchivedShape {
    func shape(_ layout: ArchivedShape.Layout, _ type: ObjectClass? = nil) -> ArchivedShape {
      ArchivedShape(layout: layout, type: type, content: tapeIndex)
    }
    switch tape.kind(at: tapeIndex) {
    case .beginArray: return shape(isApart(tapeIndex, .array, tape) ? .numberedList : .list, .array)
    case .beginSet: return shape(isApart(tapeIndex, .set, tape) ? .numberedList : .list, .set)
    case .beginDictionary:
      return shape(isApart(tapeIndex, .dictionary, tape) ? .numberedDictionary : .dictionary, .dictionary)
    // Programs read a string "$null" without a class as nil, regardless of its object number.
    case .string, .key:
      guard tape.text(at: tapeIndex).equals("$null") else { return shape(.bare) }
      return shape(.keys([ArchivedKey("NS.string", .scalar(at: tapeIndex))]), ObjectClass("NSString"))
    case .data, .integer, .real, .single, .boolean: return shape(.bare)
    case .null: return shape(.keys([]), .null)
    case .date: return shape(.keys(try keys(of: .date, tapeIndex, tape)), .date)
    case .number: return shape(.keys(try keys(of: .decimalNumber, tapeIndex, tape)), .decimalNumber)
    default: return shape(.unknown)
    }
  }

  private func keys(
    of type: ObjectClass, _ tapeIndex: TapeIndex, _ tape: EventTape
  ) throws(FerryError) -> [ArchivedKey] {
    guard let entry = index[type] ?? ClassCatalog.standard.entry(for: type) else { return [] }
    return try keys(of: entry, type, tapeIndex, tape) ?? []
  }

  /// Returns the archived keys for a decoded form, or nil if the value is itself a dictionary of archived
  /// keys. Throws if the value is neither.
  private func keys(
    of entry: ClassCatalogEntry, _ type: ObjectClass, _ tapeIndex: TapeIndex, _ tape: EventTape
  ) throws(FerryError) -> [ArchivedKey]? {
    let given = GivenForm(at: tapeIndex, of: tape)
    let isDictionary = given.kind == .beginDictionary
    // A dictionary with a key that is not the name of a part has archived keys. An empty dictionary could be
    // either, and counts as archived keys.
    if isDictionary, try given.parts(named: entry.partNames)?.isEmpty ?? true { return nil }
    if let keys = try entry.codec.encode(given, of: type) { return keys }
    if isDictionary, try given.parts(named: entry.codec.archivedNames) != nil { return nil }
    throw entry.noDecodedForm(given.value)
  }

  /// Returns the layout of an object whose content is a decoded form. Returns nil if the content is a
  /// collection or a dictionary of archived keys.
  private func shape(
    ofDecodedFormAt content: TapeIndex, _ type: ObjectClass, _ tape: EventTape
  ) throws(FerryError) -> ArchivedShape? {
    let kind = tape.kind(at: content)
    if kind == .beginDictionary, decodedForms == .scalars { return nil }
    guard let entry = index[type] ?? Self.fallback(for: kind),
      let keys = try keys(of: entry, type, content, tape)
    else { return nil }
    // A class without superclasses gets those that Foundation has for it.
    let named = decodedForms == .all && type.chain.isEmpty && type.name == entry.type.name ? entry.type : type
    return ArchivedShape(layout: .keys(keys), type: named, content: content)
  }

  /// Returns the catalog entry for a scalar in an object of an unknown class, or nil.
  private static func fallback(for kind: EventTape.Kind) -> ClassCatalogEntry? {
    switch kind {
    case .string: ClassCatalog.standard.entry(for: .mutableString)
    case .data: ClassCatalog.standard.entry(for: .mutableData)
    case .date: ClassCatalog.standard.entry(for: .date)
    case .null: ClassCatalog.standard.entry(for: .null)
    default: nil
    }
  }
}
