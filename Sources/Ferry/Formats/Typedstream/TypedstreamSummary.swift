/// The statistics and classes of a typedstream.
///
///     let summary = try Typedstream(bytes).summary
///     summary.systemVersion                       // 1000
///     summary.classes.first                       // NSArray, version 0, 2 objects
public struct TypedstreamSummary: Hashable, Sendable {
  /// A class in the file.
  public struct Class: Hashable, Sendable {
    /// The name of the class.
    public var name: String
    /// The version of the class that was archived.
    public var version: Int
    /// The name of the superclass, which is also in the list, or nil for a root class.
    public var superclass: String?
    /// The number of objects of exactly this class. It is 0 if the class occurs only as a superclass.
    public var objectCount: Int
    /// True if objects of the class have a decoded form, false if they are shown as lists of values.
    public var isKnown: Bool
  }

  /// The signature: `streamtyped` or `typedstream`.
  public var signature: String
  /// The byte order of numbers.
  public var byteOrder: Typedstream.ByteOrder
  /// The version of the format, which is 4.
  public var version: Int
  /// The version of the system that wrote the file, which is 1000 for every Mac.
  public var systemVersion: Int
  /// The number of values at the top level. It is 1 if the file contains a single object.
  public var valueCount: Int
  /// The number of objects.
  public var objectCount: Int
  /// The number of objects that are referenced more than once.
  public var sharedObjectCount: Int
  /// The number of distinct strings for types and class names.
  public var sharedStringCount: Int
  /// The maximum nesting depth of objects, arrays and structures.
  public var depth: Int
  /// The classes, in the order of their first occurrence in the file.
  public var classes: [Class]
}

extension Typedstream {
  /// The counts and classes of the file.
  public var summary: TypedstreamSummary {
    TypedstreamSummary(
      signature: byteOrder.signature, byteOrder: byteOrder,
      version: version, systemVersion: Int(systemVersion), valueCount: valueCount,
      objectCount: shapes.objects.count, sharedObjectCount: shapes.objects.count { $0.uses > 1 },
      sharedStringCount: strings.count, depth: depth, classes: shapes.classes.map(archived))
  }

  private func archived(_ type: TypedstreamClass) -> TypedstreamSummary.Class {
    TypedstreamSummary.Class(
      name: type.name, version: Int(type.version),
      superclass: type.superclass.map { shapes.classes[$0].name }, objectCount: type.objectCount,
      isKnown: type.known != nil)
  }
}
