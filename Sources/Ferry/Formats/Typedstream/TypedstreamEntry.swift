/// A value in a typedstream.
///
/// All values are entries of a single list, in the order of the file. An object, an array or a structure is
/// followed by its contents and stores where these end, so that it can be skipped in one step. For an
/// `NSArray` that contains one string twice:
///
///     0 object 0 → 5   1 integer 2   2 object 1 → 4   3 text   4 reference 1
struct TypedstreamEntry {
  enum Kind: UInt8 {
    /// Nil: a missing object, class or C string.
    case null
    case boolean, integer, unsigned, single, real
    /// A string of bytes that is valid UTF-8, and one that is not.
    case text, bytes
    /// Shared strings, whose encoding is not declared in the file.
    case cString, atom, selector
    /// An array of characters, decoded as data.
    case data
    /// A class as a value.
    case type
    case object, reference
    case array, structure
  }

  var kind: Kind
  /// The first character of the value's type: `i` for an int, `@` for an object.
  var code: UInt8 = 0
  /// The number of the shared string with the types of a group, if the value is the first of the group.
  var group: Int32?
  /// Depending on the kind: the bits of a number, the offset of the first byte, the number of an object or a
  /// class, or the number of a structure's name.
  var payload: UInt64 = 0
  /// Depending on the kind: the number of bytes, or the index after an object, an array or a structure.
  var extra = 0

  /// The number of a name, or the count of an array.
  var number: Int { Int(truncatingIfNeeded: payload) }
  /// The number of an object.
  var objectNumber: TypedstreamObjectNumber { TypedstreamObjectNumber(number) }
  /// The number of a class.
  var classNumber: TypedstreamClassNumber { TypedstreamClassNumber(number) }
  /// The byte range in the file.
  var range: Range<Int> { number..<number + extra }

  /// The number of bytes of a text or of data; zero for other kinds.
  var byteCount: Int {
    switch kind {
    case .text, .bytes, .cString, .atom, .selector, .data: extra
    default: 0
    }
  }

  /// The value of a real number of 32 bits.
  var single: Float { Float(bitPattern: UInt32(truncatingIfNeeded: payload)) }

  /// The value of a signed or unsigned integer, or nil for other kinds.
  var integer: Int128? {
    switch kind {
    case .integer: Int128(Int64(bitPattern: payload))
    case .unsigned: Int128(payload)
    default: nil
    }
  }
}

/// The number of a class or an object in a typedstream: its index in the list of all.
struct TypedstreamNumber<Item>: Hashable {
  let index: Int

  init(_ index: Int) { self.index = index }
}

typealias TypedstreamClassNumber = TypedstreamNumber<TypedstreamClass>
typealias TypedstreamObjectNumber = TypedstreamNumber<TypedstreamObject>

/// A class or an object in a typedstream, which has a number in the order of the file.
protocol TypedstreamNumbered {}

extension TypedstreamClass: TypedstreamNumbered {}
extension TypedstreamObject: TypedstreamNumbered {}

extension Array where Element: TypedstreamNumbered {
  /// The class or the object with a number.
  subscript(number: TypedstreamNumber<Element>) -> Element {
    get { self[number.index] }
    _modify { yield &self[number.index] }
  }
}

/// An archived class. Its superclass links to the next class of the chain.
struct TypedstreamClass {
  var name: String
  var version: Int64
  /// The number of the superclass, or nil for a root class.
  var superclass: TypedstreamClassNumber?
  /// The number of superclasses, direct and indirect.
  var depth: Int
  /// The number of objects of exactly this class.
  var objectCount = 0
  /// The class whose decoding applies to the objects: this class or the nearest superclass that Ferry
  /// decodes.
  var known: KnownClass?
}

/// A numbered item that later parts of the file may refer to.
enum TypedstreamShared {
  case object(TypedstreamObjectNumber)
  case type(TypedstreamClassNumber)
  case cString(Range<Int>)
}

/// An archived object.
struct TypedstreamObject {
  /// The number of the object's class.
  var type: TypedstreamClassNumber
  /// The index of the object's entry. The entries of its values follow.
  var entry: Int
  /// The offset of the object's first byte in the file.
  var offset: Int
  /// The number of times the object occurs as a value.
  var uses = 1
}
