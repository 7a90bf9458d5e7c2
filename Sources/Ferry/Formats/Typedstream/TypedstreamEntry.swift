/// A value of a typedstream.
///
/// All values are entries of one list, in the order of the file. An object, an array or a structure is
/// followed by its contents, and records their end, so a reader skips it in one step. An `NSArray` that holds
/// one string twice is
///
///     0 object 0 → 5   1 integer 2   2 object 1 → 4   3 text   4 reference 1
struct TypedstreamEntry {
  enum Kind: UInt8 {
    /// Nil: a missing object, class or C string.
    case null
    case boolean, integer, unsigned, single, real
    /// A string of bytes that are UTF-8, and one of bytes that are not.
    case text, bytes
    /// Shared strings, whose encoding the file does not declare either.
    case cString, atom, selector
    /// An array of characters.
    case data
    /// A class as a value.
    case type
    case object, reference
    case array, structure
  }

  var kind: Kind
  /// The bits of a number; the offset of the first byte; the number of an object or a class; the name of a
  /// structure.
  var payload: UInt64 = 0
  /// The number of bytes; the end index of an object, an array or a structure.
  var extra = 0

  /// The number of an object, a class or a name.
  var number: Int { Int(truncatingIfNeeded: payload) }
  /// The range of the bytes in the file.
  var range: Range<Int> { number..<number + extra }

  /// The integer, signed or not; nil for other kinds.
  var integer: Int128? {
    switch kind {
    case .integer: Int128(Int64(bitPattern: payload))
    case .unsigned: Int128(payload)
    default: nil
    }
  }
}

/// An archived class: one link of a chain of superclasses.
struct TypedstreamClass {
  var name: String
  var version: Int64
  /// The number of the superclass.
  var superclass: Int?
  /// The number of superclasses.
  var depth: Int
  /// The number of objects of exactly this class.
  var objectCount = 0
  /// The known class of its objects: this class, or the nearest known superclass.
  var known: KnownClass?
}

/// An item with a number that later parts of the file refer to.
enum TypedstreamShared {
  case object(Int)
  case type(Int)
  case cString(Range<Int>)
}

/// An archived object.
struct TypedstreamObject {
  /// The number of its class.
  var type: Int
  /// The index of its entry, which its values follow.
  var entry: Int
  /// The offset of its first byte in the file.
  var offset: Int
  /// The number of times it occurs as a value.
  var uses = 1
}
