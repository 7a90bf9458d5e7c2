/// The class of an archived object: its name and its superclasses, as stored in the archive.
///
/// All objects of a class share one instance.
public final class ObjectClass: Sendable, Hashable {
  /// The name of the class, which may include a module: `MyApp.Person`.
  public let name: String
  /// The class and its superclasses, nearest first, as archived: `["Person", "NSObject"]`. Empty if the
  /// archive does not contain them.
  public let chain: [String]
  /// The fallback classes that a reader may use if it does not have the class (`$classhints`).
  public let hints: [String]

  /// Creates a class.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - chain: The class and its superclasses, nearest first.
  ///   - hints: The fallback classes.
  public init(name: String, chain: [String], hints: [String] = []) {
    self.name = name
    self.chain = chain
    self.hints = hints
  }

  /// Creates a class with its superclasses; NSObject is added: `ObjectClass("NSMutableArray", "NSArray")`.
  public convenience init(_ name: String, _ superclasses: String...) {
    self.init(name: name, chain: [name] + superclasses + ["NSObject"])
  }

  /// The class of a value without a class that is sent as an object because it needs an identity.
  public static let none = ObjectClass(name: "", chain: [])

  /// Returns true if this is the named class, or if its archived superclasses contain the named class.
  func inherits(from name: String) -> Bool { self.name.equals(name) || chain.contains(exactly: name) }

  /// Returns true if both classes would be archived identically. Names are compared by their bytes.
  public static func == (a: ObjectClass, b: ObjectClass) -> Bool {
    a === b || (a.name.equals(b.name) && a.chain.equals(b.chain) && a.hints.equals(b.hints))
  }

  /// Hashes the name, which nearly always differs between classes.
  public func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}
