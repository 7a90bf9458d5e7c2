/// What the bytes of a binary property list tell beside its values, and no more than does not follow from them.
///
/// Object order, offsets and widths follow from the values: they are walked depth first and take the bytes they need.
/// What does not follow is noted:
///
///     references    whether each meeting of an equal UID is an object, or a number has one object
///     sharing       the scalars that are, or are not, one object against the rule
///     patch         bytes that no rule gives: of files by other writers, or made by hand
///
/// A layout that notes nothing is that of the file that `BinaryPropertyListWriter` makes of the values.
public struct BinaryLayout: Hashable, Sendable {
  /// What becomes an object when equal UIDs, or booleans, are met more than once.
  public enum Repeats: String, CaseIterable, Sendable {
    /// Each meeting, but references name the first: the others are orphans. CoreFoundation's way for a long time.
    case orphans
    /// Each meeting, and references name it.
    case separate
    /// The first only.
    case shared
  }

  /// A run of bytes that stands where the rules give others.
  public struct Patch: Hashable, Sendable {
    /// How many bytes the rules give, and their hash: of other bytes this is no patch.
    var size: Int
    var hash: UInt64
    /// The bytes that are replaced.
    var range: Range<Int>
    var bytes: [UInt8]
  }

  /// Which equal scalars are one object as a rule.
  public var rule = BinaryPropertyListWriter.Sharing.equalScalars
  public var references = Repeats.orphans
  public var booleans = Repeats.orphans
  /// Whether all empty arrays are one object, as in old nibs.
  public var sharesEmptyArrays = false
  /// Whether objects are numbered entry by entry, a key and its value, instead of all keys first.
  public var isInPairs = false
  /// Bytes of an offset and of a reference to an object, where they are not as few as will do.
  public var offsetWidth: Int?
  public var referenceWidth: Int?
  /// The scalars that the rule guesses wrongly, in the order in which they are met: how many are met from the last such
  /// one to this one, and what it is: 0 a new object, 1 the first of the objects with its value, 2 the second …
  var deviations: [SharingDeviation] = []
  public var patch: Patch?

  /// The layout that the rule gives.
  public init(rule: BinaryPropertyListWriter.Sharing = .equalScalars) { self.rule = rule }

  /// Whether everything follows from the values.
  public var isEmpty: Bool { self == BinaryLayout(rule: rule) }
}

/// A scalar that is, or is not, an object of its own against the rule.
struct SharingDeviation: Hashable, Sendable {
  /// How many scalars are met from the last deviation to this one, this one among them.
  var distance: Int
  /// 0 for an object of its own, else which of the objects with the same value, counted from 1.
  var choice: Int
}

extension BinaryLayout {
  /// The layout of a file: with it and the file's values, `BinaryPropertyListWriter` writes the file's bytes.
  ///
  /// - Throws: what is wrong with an object of the file.
  public init(of file: BinaryPropertyList) throws(Failure) { self = try Self.learned(from: file).layout }

  /// The layout of a file, and what its scalars have taught about which of them are shared.
  static func learned(
    from file: BinaryPropertyList
  ) throws(Failure) -> (layout: BinaryLayout, sharing: ScalarSharing<BinaryPropertyList>) {
    var layout = BinaryLayout(rule: try file.isKeyedArchive ? .archiver : .equalScalars)
    let minimal = file.minimalWidths
    if file.offsetWidth != minimal.offset { layout.offsetWidth = file.offsetWidth }
    if file.referenceWidth != minimal.reference { layout.referenceWidth = file.referenceWidth }
    let usual = layout
    for repeats in likelyRepeats {
      (layout.references, layout.booleans) = (repeats.references, repeats.booleans)
      (layout.sharesEmptyArrays, layout.isInPairs) = (repeats.sharesEmptyArrays, repeats.isInPairs)
      let order = try ObjectOrder(of: file, layout: layout, sharing: .stored)
      guard order.nodes.count == file.nodeCount else { continue }
      let comparison = ComparingOutput(with: file.bytes, size: file.byteCount)
      var objects = BinaryObjects(order, of: file, layout: layout, to: comparison)
      try objects.write()
      guard comparison.isEqual else { continue }
      layout.deviations = order.deviations
      return (layout, order.scalars)
    }
    layout = usual
    let order = try ObjectOrder(of: file, layout: layout, sharing: .stored)
    let written = MemoryOutput()
    var objects = BinaryObjects(order, of: file, layout: layout, to: written)
    try objects.write()
    layout.deviations = order.deviations
    // What the writer will make of the values has no deviations that it cannot follow.
    layout.patch = Patch(from: written.bytes, to: file.bytes.copy)
    return (layout, order.scalars)
  }

  /// A way in which files repeat objects.
  private struct Way {
    var references: Repeats
    var booleans: Repeats
    var sharesEmptyArrays = false
    var isInPairs = false
  }

  /// The ways that there are, the most frequent first.
  private static let likelyRepeats: [Way] = {
    let usual = [
      Way(references: .orphans, booleans: .orphans), Way(references: .separate, booleans: .orphans),
      Way(references: .shared, booleans: .shared, sharesEmptyArrays: true),
      Way(references: .shared, booleans: .shared), Way(references: .shared, booleans: .orphans),
      Way(references: .orphans, booleans: .shared), Way(references: .separate, booleans: .shared),
      Way(references: .separate, booleans: .separate), Way(references: .orphans, booleans: .separate),
    ]
    return usual
      + usual.map { way in
        var way = way
        way.isInPairs = true
        return way
      }
  }()
}

extension BinaryLayout.Patch {
  /// What turns some bytes into others: all from the first that differs to the last.
  init(from old: [UInt8], to new: [UInt8]) {
    let limit = min(old.count, new.count)
    var start = 0
    while start < limit, old[start] == new[start] { start += 1 }
    var end = 0
    while end < limit - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    size = old.count
    hash = Self.hash(of: old)
    range = start..<old.count - end
    bytes = Array(new[start..<new.count - end])
  }

  /// The patched bytes, or nil when these are not the ones that the patch was made for.
  func applied(to old: [UInt8]) -> [UInt8]? {
    guard old.count == size, range.upperBound <= size, Self.hash(of: old) == hash else { return nil }
    return old[..<range.lowerBound] + bytes + old[range.upperBound...]
  }

  /// FNV-1a, 64 bits.
  private static func hash(of bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
