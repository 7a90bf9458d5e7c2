extension ObjectClass {
  /// The class whose layout the objects have, if it is a known one: NSString for an NSMutableString.
  var knownLayout: String? {
    for name in [name] + chain {
      guard let type = Self.known(named: name) else { continue }
      // The classes of numbers are values, but each has archived keys of its own.
      guard !type.inherits(from: "NSValue") else { return type.name }
      return ([type.name] + type.chain).last { !$0.equals("NSObject") }
    }
    return nil
  }

  /// Returns a class whose layout is known: one of the catalog, a number, or a collection. Nil for others.
  static func known(named name: String) -> ObjectClass? {
    if let type = ClassCatalog.standard.type(named: name) { return type }
    let type = ObjectClass(name)
    if type.inherits(from: "NSNumber") { return type }
    return ArchivedCollection.Kind(of: type) == nil ? nil : type
  }
}
