/// A value of a typedstream, as it lies in the file.
///
/// All values are entries of one list, in the order of the file. What is inside an object, an array or a structure follows
/// it, and it knows where that ends, so a value is skipped in one step. An `NSArray` of one string that is met twice is
///
///     0 object 0 → 5   1 integer 2   2 object 1 → 4   3 text   4 reference 1
struct TypedstreamEntry {
  enum Kind: UInt8 {
    /// Nil: no object, no class, no C string.
    case null
    case boolean, integer, unsigned, single, real
    /// A string of bytes that are UTF-8; one of bytes that are not.
    case text, bytes
    /// Shared strings, whose encoding nothing says either.
    case cString, atom, selector
    /// An array of characters.
    case data
    /// A class as a value.
    case type
    case object, reference
    case array, structure
  }

  var kind: Kind
  /// A number's bits; where bytes begin; an object's or a class's number; a structure's name.
  var payload: UInt64 = 0
  /// The length of bytes; where an object, an array or a structure ends.
  var extra = 0

  /// The number of an object, a class or a name.
  var number: Int { Int(truncatingIfNeeded: payload) }
  /// Where bytes are.
  var range: Range<Int> { number..<number + extra }

  /// An integer, signed or not.
  var integer: Int128? {
    switch kind {
    case .integer: Int128(Int64(bitPattern: payload))
    case .unsigned: Int128(payload)
    default: nil
    }
  }
}

/// A class as it is archived: one link of a chain.
struct TypedstreamClass {
  var name: String
  var version: Int64
  /// The number of the class that it inherits from.
  var superclass: Int?
  /// How many classes it inherits from.
  var depth: Int
  /// How many objects are of just this class.
  var objectCount = 0
  /// What Ferry knows about its objects, or those of the class nearest above it.
  var known: KnownClass?
}

/// What has a number that later parts of the file refer to.
enum TypedstreamShared {
  case object(Int)
  case type(Int)
  case cString(Range<Int>)
}

/// An object as it is archived.
struct TypedstreamObject {
  /// The number of its class.
  var type: Int
  /// Its entry, which its values follow.
  var entry: Int
  /// Where it begins in the file.
  var offset: Int
  /// How often it is a value.
  var uses = 1
}
