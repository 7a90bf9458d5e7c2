/// A type that declares the name of its class in archives.
///
///     struct Person: Codable, ArchivedClass {
///       static let archivedClassName = "MyApp.Person"
///       var last: String
///       var first: String
///     }
///
/// The value is encoded as an object of this class. It is decoded from objects of this class, of its
/// subclasses, and of classes with a former name; an object of another class is an error.
public protocol ArchivedClass {
  /// The name of the class: `Person`, or with the app's module `MyApp.Person`.
  static var archivedClassName: String { get }
  /// The names of the superclasses, nearest first, without `NSObject`. Empty by default.
  static var archivedSuperclassNames: [String] { get }
  /// The names of the class in older archives. Empty by default.
  static var formerClassNames: [String] { get }
}

extension ArchivedClass {
  /// Returns no superclasses.
  public static var archivedSuperclassNames: [String] { [] }
  /// Returns no former names.
  public static var formerClassNames: [String] { [] }
}
