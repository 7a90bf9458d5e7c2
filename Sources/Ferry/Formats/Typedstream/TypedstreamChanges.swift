/// Changes of the values of a typedstream.
struct TypedstreamChanges {
  /// The new values.
  var tape = EventTape()
  /// The tape indices of new values, by the entries that they replace.
  var values: [TypedstreamEntryIndex: TapeIndex] = [:]
  /// The items that replace objects, by the entries of these.
  var replacements: [TypedstreamEntryIndex: TypedstreamItem] = [:]
  /// The entries in collections, in which null is an NSNull.
  var elements: Set<TypedstreamEntryIndex> = []
  /// The new contents of objects.
  var contents: [TypedstreamObjectNumber: [TypedstreamItem]] = [:]
}
