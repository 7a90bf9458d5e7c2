/// Classes of Foundation that represent values of other formats in an archive.
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
}
