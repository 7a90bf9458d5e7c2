/// A part of an object's new content.
enum TypedstreamItem {
  /// The types of the values that follow.
  case group(String)
  case integer(Int128, code: UInt8)
  case real(Double)
  case cString(String)
  /// A new NSDictionary without entries.
  case emptyDictionary
  /// A new NSNull.
  case null
  /// A copied value, or the value that replaces it.
  case entry(TypedstreamEntryIndex)
  /// A copied object even if another value replaces it: the object may have moved elsewhere.
  case original(TypedstreamEntryIndex)
  /// A new object. If it replaces an object, it keeps the class of that if possible.
  case value(TapeIndex, like: TypedstreamEntryIndex? = nil)
  /// A copy of an object without the changes of that.
  case copy(TypedstreamEntryIndex)
  /// A new object of the class of another one, with its own content.
  indirect case object(like: TypedstreamObjectNumber, [TypedstreamItem])
}
