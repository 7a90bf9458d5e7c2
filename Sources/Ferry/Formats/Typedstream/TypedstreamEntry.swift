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
  var code: UInt8
  /// The index of `group`, in four bytes, which fit beside the kind and the code.
  private var groupNumber: Int32?
  /// Depending on the kind: the bits of a number, the offset of the first byte, the number of an object or a
  /// class, or the number of a structure's name.
  var payload: UInt64
  /// Depending on the kind: the number of bytes, or the index after an object, an array or a structure.
  private var extra = 0

  /// Creates an entry whose payload is not a range.
  init(kind: Kind, code: UInt8, group: TypedstreamStringNumber?, payload: UInt64) {
    (self.kind, self.code, self.payload) = (kind, code, payload)
    groupNumber = group.map { Int32(clamping: $0.index) }
  }

  /// Creates an entry for bytes of the file.
  init(kind: Kind, code: UInt8, group: TypedstreamStringNumber?, range: Range<Int>) {
    self.init(kind: kind, code: code, group: group, payload: UInt64(range.lowerBound))
    extra = range.count
  }

  private var number: Int { Int(truncatingIfNeeded: payload) }
  /// The number of the shared string with the types of a group, if the value is the first of the group.
  var group: TypedstreamStringNumber? { groupNumber.map { TypedstreamStringNumber(Int($0)) } }
  /// The number of a structure's name.
  var structureNumber: TypedstreamNumber<TypedstreamStructure> { TypedstreamNumber(number) }
  /// The count of an array.
  var elementCount: Int { number }
  /// The number of an object.
  var objectNumber: TypedstreamObjectNumber { TypedstreamObjectNumber(number) }
  /// The number of a class.
  var classNumber: TypedstreamClassNumber { TypedstreamClassNumber(number) }
  /// The index after an object, an array or a structure.
  var end: TypedstreamEntryIndex {
    get { TypedstreamEntryIndex(extra) }
    set { extra = newValue.index }
  }
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

/// A string that is numbered when it first occurs: the types of a group, an atom, a selector or a name.
struct TypedstreamString {
  /// The byte range in the file.
  var range: Range<Int>
}

/// A name that structures have.
struct TypedstreamStructure {
  var name: String
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
  var entry: TypedstreamEntryIndex
  /// The offset of the object's first byte in the file.
  var offset: Int
  /// The number of times the object occurs as a value.
  var uses = 1
}
