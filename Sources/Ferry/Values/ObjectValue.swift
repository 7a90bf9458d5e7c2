/// An archived object: its class, its content, and its identity if there are references to it.
public struct ObjectValue: Hashable, Sendable {
  /// The class and its superclasses.
  public var type: ObjectClass
  /// The identity to which `Value.reference` refers, or nil if there are no references to this object.
  public var identity: Int?
  /// The content: a dictionary of archived keys for most classes; an array, a string or another value for
  /// collections, strings and similar classes.
  public var content: Value

  /// Creates an object.
  public init(_ type: ObjectClass, identity: Int? = nil, content: Value) {
    self.type = type
    self.identity = identity
    self.content = content
  }
}
