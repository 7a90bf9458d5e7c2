/// The number of an object in a keyed archive: its index in `$objects`.
///
/// A UID in a file may be any `UInt64`. It becomes an object number when it is known that the object exists.
struct ObjectNumber: Hashable, Strideable {
  /// The number, from 0 on: an index into arrays with an element for each object.
  let index: Int

  /// The number of the object `$null`.
  static var null: ObjectNumber { ObjectNumber(0) }

  init(_ index: Int) { self.index = index }

  /// The UID of a reference to the object.
  var uid: UInt64 { UInt64(index) }

  func distance(to other: ObjectNumber) -> Int { other.index - index }
  func advanced(by count: Int) -> ObjectNumber { ObjectNumber(index + count) }

  // The comparisons that `Strideable` provides subtract first.
  static func == (a: ObjectNumber, b: ObjectNumber) -> Bool { a.index == b.index }
  static func < (a: ObjectNumber, b: ObjectNumber) -> Bool { a.index < b.index }
}

extension ObjectNumber: CustomStringConvertible {
  var description: String { index.description }
}
