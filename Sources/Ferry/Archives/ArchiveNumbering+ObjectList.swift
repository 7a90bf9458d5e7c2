extension ArchiveNumbering {
  /// An entry of `$objects`.
  enum Object {
    /// Object 0, or another one: `$null`.
    case nothing
    /// A value on the tape.
    case value(TapeIndex)
    /// A null in a collection, which becomes an NSNull.
    case null
    case type(ObjectClass)
    /// An element of `keyed`, by its index.
    case keyed(Int)
  }

  /// The objects of an archive by number. A value on the tape, as most objects are, takes four bytes.
  struct ObjectList {
    /// For each object its tape index, or the index of another object and `firstOther`.
    private var indices: [UInt32] = [Self.firstOther]
    /// The objects without a value on the tape.
    private var others: [Object] = [.nothing]

    private static let firstOther: UInt32 = 0xc000_0000

    var count: Int { indices.count }

    subscript(number: Int) -> Object {
      let index = indices[number]
      return index < Self.firstOther ? .value(TapeIndex(Int(index))) : others[Int(index - Self.firstOther)]
    }

    /// Appends a value on the tape. Throws if the tape is too long.
    mutating func append(_ index: TapeIndex) throws(FerryError) {
      guard index.index < Int(Self.firstOther) else {
        throw FerryError(.overBudget(.values(Int(Self.firstOther))))
      }
      indices.append(UInt32(index.index))
    }

    /// Appends an object without a value on the tape.
    mutating func append(other object: Object) throws(FerryError) {
      guard others.count < Int(UInt32.max - Self.firstOther) else {
        throw FerryError(.overBudget(.values(Int(Self.firstOther))))
      }
      indices.append(Self.firstOther + UInt32(others.count))
      others.append(object)
    }
  }
}
