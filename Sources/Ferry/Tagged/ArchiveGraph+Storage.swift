// An archive may have millions of objects and fields, so a graph keeps them in few bytes.

extension ArchiveGraph {
  /// A list of parts, in four bytes each.
  struct PartList: RandomAccessCollection, MutableCollection {
    /// For each part its kind and its number. The number of the last kind is an index in `wideParts`.
    private var words: [KindAndNumber] = []
    /// The collections, and the parts with large numbers.
    private var wideParts: [Part] = []

    private static let object: UInt32 = 0
    private static let bare: UInt32 = 1
    private static let scalar: UInt32 = 2
    private static let other: UInt32 = 3
    private static let nothing = KindAndNumber(other, KindAndNumber.largest)

    var startIndex: Int { 0 }
    var endIndex: Int { words.count }

    subscript(index: Int) -> Part {
      @inline(__always)
      get {
        let word = words[index]
        return switch word.kind {
        case Self.object: .object(word.number)
        case Self.bare: .bare(NodeID(word.number))
        case Self.scalar: .scalar(NodeID(word.number))
        default: word == Self.nothing ? .nothing : wideParts[word.number]
        }
      }
      @inline(__always)
      set {
        switch newValue {
        case .nothing: words[index] = Self.nothing
        case .object(let number): set(index, Self.object, number, newValue)
        case .bare(let node): set(index, Self.bare, node.index, newValue)
        case .scalar(let node): set(index, Self.scalar, node.index, newValue)
        case .list, .set, .dictionary: set(index, other: newValue)
        }
      }
    }

    @inline(__always)
    private mutating func set(_ index: Int, _ kind: UInt32, _ number: Int, _ part: Part) {
      guard number < KindAndNumber.largest else { return set(index, other: part) }
      words[index] = KindAndNumber(kind, number)
    }

    private mutating func set(_ index: Int, other part: Part) {
      words[index] = KindAndNumber(Self.other, wideParts.count)
      wideParts.append(part)
    }

    mutating func reserveCapacity(_ count: Int) { words.reserveCapacity(count) }

    /// Puts the parts of a range in another order, in which each has an index of the range.
    mutating func arrange(_ range: Range<Int>, _ order: [Int]) {
      let old = order.map { words[range.lowerBound + $0] }
      for (index, word) in zip(range, old) { words[index] = word }
    }

    /// Appends null references for the caller to replace. Throws if there are too many, because each may become a collection.
    mutating func append(_ count: Int) throws(FerryError) {
      guard count < KindAndNumber.largest - words.count else {
        throw FerryError(.overBudget(.values(KindAndNumber.largest)))
      }
      words.append(contentsOf: repeatElement(Self.nothing, count: count))
    }
  }

  /// The objects of an archive by number. A number without an object takes four bytes.
  struct ObjectList {
    /// For each number the index of its object plus one, or 0 if there is none.
    private var numbers: [UInt32] = []
    private var objects: [Object] = []

    var count: Int { numbers.count }
    /// The indices of all numbers.
    var indices: Range<Int> { 0..<count }

    subscript(number: Int) -> Object? {
      @inline(__always)
      get {
        let index = numbers[number]
        return index == 0 ? nil : objects[Int(index - 1)]
      }
    }

    /// Returns true if a number has an object.
    func hasObject(_ number: Int) -> Bool { numbers[number] != 0 }

    mutating func reserveCapacity(_ count: Int) { numbers.reserveCapacity(count) }

    mutating func append(_ object: Object?) {
      numbers.append(0)
      if let object { set(numbers.count - 1, object) }
    }

    mutating func set(_ number: Int, _ object: Object) {
      if numbers[number] == 0 {
        objects.append(object)
        numbers[number] = UInt32(clamping: objects.count)
      } else {
        objects[Int(numbers[number] - 1)] = object
      }
    }
  }

  /// The number of occurrences of each object and scalar, most of which are few.
  struct Occurrences {
    /// The numbers of occurrences, of which those from `many` on lack the occurrences in `large`.
    private var counts: [UInt8] = []
    /// Occurrences that do not fit in `counts`, by identity. Of `many`, all but one are moved here at once, because a scalar of millions of
    /// objects is counted for each.
    private var large: [Int: UInt32] = [:]

    private static let many: UInt8 = 128

    init() {}
    init(ofIdentities count: Int) { counts = [UInt8](repeating: 0, count: count) }

    /// The number of identities.
    var count: Int { counts.count }

    subscript(identity: Int) -> Int {
      let count = counts[identity]
      return count < Self.many ? Int(count) : Int(count) + Int(large[identity] ?? 0)
    }

    /// Returns true if there is more than one occurrence.
    @inline(__always)
    func isRepeated(_ identity: Int) -> Bool { counts[identity] > 1 }

    /// Returns true if there is an occurrence.
    @inline(__always)
    func contains(_ identity: Int) -> Bool { counts[identity] > 0 }

    /// Counts an occurrence.
    @inline(__always)
    mutating func add(_ identity: Int) {
      if counts[identity] == .max { moveMany(identity) }
      counts[identity] += 1
    }

    private mutating func moveMany(_ identity: Int) {
      counts[identity] -= Self.many - 1
      let (sum, overflows) = large[identity, default: 0].addingReportingOverflow(UInt32(Self.many - 1))
      large[identity] = overflows ? .max : sum
    }
  }
}
