/// The counts and classes of a typedstream, for a report on a file.
///
///     let summary = try Typedstream(bytes).summary
///     summary.systemVersion                       // 1000
///     summary.classes.first                       // NSArray, version 0, 2 objects
public struct TypedstreamSummary: Hashable, Sendable {
  /// A class of the file.
  public struct ArchivedClass: Hashable, Sendable {
    /// The name of the class.
    public var name: String
    /// The version of the class when it was archived.
    public var version: Int
    /// The superclass, which is in the list too; nil for a root class.
    public var superclass: String?
    /// The number of objects of exactly this class; 0 if the class occurs only as a superclass.
    public var objectCount: Int
    /// True if the objects are shown in their decoded form, and not as lists of their values.
    public var isKnown: Bool
  }

  /// The signature: `streamtyped` or `typedstream`.
  public var signature: String
  /// The order of the bytes of numbers.
  public var byteOrder: Typedstream.ByteOrder
  /// The version of the format, 4.
  public var version: Int
  /// The version of the system that wrote the file: 1000 on every Mac.
  public var systemVersion: Int
  /// The number of values at the top level; 1 if the file is one object.
  public var valueCount: Int
  /// The number of objects.
  public var objectCount: Int
  /// The number of objects with more than one reference.
  public var sharedObjectCount: Int
  /// The number of distinct strings that name types and classes.
  public var sharedStringCount: Int
  /// The greatest nesting depth of objects, arrays and structures.
  public var depth: Int
  /// The classes, in the order of their first occurrence in the file.
  public var classes: [ArchivedClass]
}

extension Typedstream {
  /// The counts and classes of the file.
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
