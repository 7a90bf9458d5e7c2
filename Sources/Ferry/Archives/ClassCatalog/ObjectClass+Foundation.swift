/// The classes of Foundation that represent values of other formats in an archive.
extension ObjectClass {
  static let null = ObjectClass("NSNull")
  static let date = ObjectClass("NSDate")
  static let url = ObjectClass("NSURL")
  static let uuid = ObjectClass("NSUUID")
  static let decimalNumber = ObjectClass("NSDecimalNumber", "NSNumber", "NSValue")
  static let array = ObjectClass("NSArray")
  static let set = ObjectClass("NSSet")
  static let dictionary = ObjectClass("NSDictionary")
  static let mutableString = ObjectClass("NSMutableString", "NSString")
  static let mutableData = ObjectClass("NSMutableData", "NSData")
  static let mutableArray = ObjectClass("NSMutableArray", "NSArray")

  /// True for the classes of strings. An archive may list only the mutable class, without its superclasses.
  var isString: Bool { inherits(from: "NSString") || inherits(from: "NSMutableString") }

  /// The collection classes of Foundation whose layout is that of an `ArchivedCollection`.
  private static let collections = [
    array, set, dictionary, mutableArray, ObjectClass("NSMutableSet", "NSSet"),
    ObjectClass("NSMutableDictionary", "NSDictionary"), ObjectClass("NSOrderedSet"),
    ObjectClass("NSMutableOrderedSet", "NSOrderedSet"),
  ]

  /// Returns Foundation's collection class with a name, including its superclasses, or nil if there is none.
  static func collection(named name: String) -> ObjectClass? { collections.first { $0.name.equals(name) } }
}
