/// The properties of a binary property list's bytes that do not follow from its values.
///
/// Object order, offsets and widths follow from the values: the values are walked depth first and take the
/// bytes they need. The layout records the rest:
///
///     references    whether each occurrence of an equal UID is an object, or a number has one object
///     sharing       the scalars that are, or are not, one object against the rule
///     patch         bytes that no rule gives: of files by other writers, or edited by hand
///
/// An empty layout describes the file that `BinaryPropertyListWriter` makes of the values.
public struct BinaryLayout: Hashable, Sendable {
  /// The objects that repeated equal UIDs, or booleans, become.
  public enum Repeats: String, CaseIterable, Sendable {
    /// Each occurrence is an object, but references name the first; the other objects are orphans.
    /// CoreFoundation did this for a long time.
    case orphans
    /// Each occurrence is an object, and references name it.
    case separate
    /// All occurrences are one object.
    case shared
  }

  /// A run of bytes that differs from the bytes that the rules give.
  public struct Patch: Hashable, Sendable {
    /// The number and the hash of the bytes that the rules give. The patch applies to no other bytes.
    var size: Int
    var hash: UInt64
    /// The range of the replaced bytes.
    var range: Range<Int>
    var bytes: [UInt8]
  }

  /// The rule that decides which equal scalars are one object.
  public var rule = BinaryPropertyListWriter.Sharing.equalScalars
  public var references = Repeats.orphans
  public var booleans = Repeats.orphans
  /// True if all empty arrays are one object, as in old nibs.
  public var sharesEmptyArrays = false
  /// True if objects are numbered entry by entry, each key followed by its value, instead of all keys first.
  public var isInPairs = false
  /// The bytes in an offset and in a reference to an object, if they are more than the fewest that suffice.
  public var offsetWidth: Int?
  public var referenceWidth: Int?
  /// The scalars for which the rule guesses wrongly, in the order of the walk.
  var deviations: [SharingDeviation] = []
  public var patch: Patch?

  /// Creates the layout that a rule gives.
  public init(rule: BinaryPropertyListWriter.Sharing = .equalScalars) { self.rule = rule }

  /// True if all bytes follow from the values.
  public var isEmpty: Bool { self == BinaryLayout(rule: rule) }
}

/// A scalar that is, or is not, an object of its own against the rule.
struct SharingDeviation: Hashable, Sendable {
  /// The number of scalars from the last deviation to this one, this one included.
  var distance: Int
  /// 0 for a new object; otherwise the index, counted from 1, of the object with the same value.
  var choice: Int
}

extension BinaryLayout {
  /// Finds the layout of a file. `BinaryPropertyListWriter` writes the file's bytes from the layout and the
  /// file's values.
  ///
  /// - Throws: A `FerryError` if an object of the file is not valid.
  public init(of file: BinaryPropertyList) throws(FerryError) { self = try Self.learned(from: file).layout }

  /// Returns the layout of a file, and the sharing of scalars learned from it.
  static func learned(
    from file: BinaryPropertyList
  ) throws(FerryError) -> (layout: BinaryLayout, sharing: ScalarSharing<BinaryPropertyList>) {
    var layout = BinaryLayout(rule: try file.isKeyedArchive ? .archiver : .equalScalars)
    let minimal = file.minimalWidths
    if file.offsetWidth != minimal.offset { layout.offsetWidth = file.offsetWidth }
    if file.referenceWidth != minimal.reference { layout.referenceWidth = file.referenceWidth }
    let usual = layout
    for repeats in likelyRepeats {
      (layout.references, layout.booleans) = (repeats.references, repeats.booleans)
      (layout.sharesEmptyArrays, layout.isInPairs) = (repeats.sharesEmptyArrays, repeats.isInPairs)
      // References in the file name nodes by their numbers, so a layout that changes one is not the file's.
      let order = try ObjectOrder(of: file, layout: layout, sharing: .stored, onlyIfKept: true)
      guard order.keepsNumbers, order.nodes.count == file.nodeCount else { continue }
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
    // No known combination gives the file's bytes, so the patch has the differences from the usual one.
    layout.patch = Patch(from: written.bytes, to: file.bytes.copy)
    return (layout, order.scalars)
  }

  /// A combination of choices by which writers repeat objects.
  private struct Way {
    var references: Repeats
    var booleans: Repeats
    var sharesEmptyArrays = false
    var isInPairs = false
  }

  /// The known combinations, the most frequent first.
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
  /// Creates the patch that turns some bytes into others: the run from the first to the last difference.
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

  /// Returns the patched bytes; nil if the patch was made for other bytes.
  func applied(to old: [UInt8]) -> [UInt8]? {
    guard old.count == size, range.upperBound <= size, Self.hash(of: old) == hash else { return nil }
    return old[..<range.lowerBound] + bytes + old[range.upperBound...]
  }

  /// Returns the FNV-1a hash of 64 bits.
  private static func hash(of bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
