/// What is in a typedstream, in numbers: for a report on a file.
///
///     let summary = try Typedstream(bytes).summary
///     summary.systemVersion                       // 1000
///     summary.classes.first                       // NSArray, version 0, 2 objects
public struct TypedstreamSummary: Hashable, Sendable {
  /// A class of the file.
  public struct ArchivedClass: Hashable, Sendable {
    /// The class's own name.
    public var name: String
    /// The version that it archived itself with.
    public var version: Int
    /// The class that it inherits from, which is one of the list too; nil at the root.
    public var superclass: String?
    /// How many objects are of just this class; 0 for one that only others inherit from.
    public var objectCount: Int
    /// Whether its objects are shown by their meaning, and not as lists of their values.
    public var isKnown: Bool
  }

  /// The signature: `streamtyped` or `typedstream`.
  public var signature: String
  /// How the bytes of numbers are ordered.
  public var byteOrder: Typedstream.ByteOrder
  /// The version of the format, 4.
  public var version: Int
  /// The version of the system that wrote the file: 1000 on every Mac.
  public var systemVersion: Int
  /// How many values stand at the top; 1 when the file is one object.
  public var valueCount: Int
  /// How many objects there are.
  public var objectCount: Int
  /// How many objects are referred to more than once.
  public var sharedObjectCount: Int
  /// How many different strings name types and classes.
  public var sharedStringCount: Int
  /// How many objects, arrays and structures are inside each other, at most.
  public var depth: Int
  /// The classes, in the order in which the file first names them.
  public var classes: [ArchivedClass]
}

extension Typedstream {
  /// What is in the file.
  public var summary: TypedstreamSummary {
    TypedstreamSummary(
      signature: byteOrder == .littleEndian ? "streamtyped" : "typedstream", byteOrder: byteOrder,
      version: version, systemVersion: Int(systemVersion), valueCount: valueCount,
      objectCount: shapes.objects.count, sharedObjectCount: shapes.objects.count { $0.uses > 1 },
      sharedStringCount: stringCount, depth: depth, classes: shapes.classes.map(archived))
  }

  private func archived(_ type: TypedstreamClass) -> TypedstreamSummary.ArchivedClass {
    TypedstreamSummary.ArchivedClass(
      name: type.name, version: Int(type.version),
      superclass: type.superclass.map { shapes.classes[$0].name }, objectCount: type.objectCount,
      isKnown: type.known != nil)
  }
}
