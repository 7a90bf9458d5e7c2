/// The properties of a binary property list that its values do not determine.
///
/// The values determine the order of the objects, their offsets and their widths: values are numbered depth
/// first and take as few bytes as possible. The layout records everything else:
///
///     references    the objects and references of repeated equal UIDs and booleans
///     sharing       the scalars that share an object, or do not share one, contrary to the sharing rule
///     patch         bytes that no rule determines, in files by other writers or edited by hand
///
/// An empty layout describes the file that `BinaryPropertyListWriter` writes for the values.
public struct BinaryLayout: Hashable, Sendable {
  /// The treatment of repeated equal UIDs, or of repeated booleans.
  public enum Repeats: String, CaseIterable, Sendable {
    /// Each occurrence is an object, but all references are to the first one. The other objects are orphans,
    /// to which nothing refers. CoreFoundation wrote this for a long time.
    case orphans
    /// Each occurrence is an object with its own reference.
    case separate
    /// All occurrences share one object.
    case shared
  }

  /// A run of bytes that differs from the bytes that the values and the rules determine.
  public struct Patch: Hashable, Sendable {
    /// The number and the hash of the original bytes. The patch applies only to these bytes.
    var size: Int
    var hash: UInt64
    /// The range of the bytes to replace.
    var range: Range<Int>
    var bytes: [UInt8]
  }

  /// The rule by which equal scalars share an object.
  public internal(set) var rule = BinaryPropertyListWriter.Sharing.equalScalars
  /// The treatment of equal UIDs.
  public internal(set) var references = Repeats.orphans
  /// The treatment of equal booleans.
  public internal(set) var booleans = Repeats.orphans
  /// True if all empty arrays share one object, as in old nibs.
  public internal(set) var sharesEmptyArrays = false
  /// True if each key of a dictionary is followed by its value in the order of objects. Otherwise all keys
  /// precede all values.
  public internal(set) var isInPairs = false
  /// The width of an offset in bytes, if it is larger than necessary; otherwise nil.
  public internal(set) var offsetWidth: Int?
  /// The width of a reference in bytes, if it is larger than necessary; otherwise nil.
  public internal(set) var referenceWidth: Int?
  /// The scalars that do not follow the sharing rule, in the order in which values are numbered.
  var deviations: [SharingDeviation] = []
  /// The differences from the bytes that the values and the rules determine, or nil if there are none.
  public internal(set) var patch: Patch?

  /// Creates the layout that follows from the values and the given rule.
  public init(rule: BinaryPropertyListWriter.Sharing = .equalScalars) { self.rule = rule }

  /// True if the values determine all bytes.
  public var isEmpty: Bool { self == BinaryLayout(rule: rule) }
}

/// A scalar that shares an object, or does not share one, contrary to the sharing rule.
struct SharingDeviation: Hashable, Sendable {
  /// The number of scalars from the last deviation to this one, including this one.
  var distance: Int
  /// 0 for an object of its own, otherwise the index (from 1) of the shared object among those of equal
  /// value.
  var choice: Int
}

extension BinaryLayout {
  /// Finds the layout of a file. From this layout and the file's values, `BinaryPropertyListWriter` writes
  /// the same bytes.
  ///
  /// - Throws: A `FerryError` if an object in the file is invalid.
  public init(of file: BinaryPropertyList) throws(FerryError) { self = try Self.learned(from: file).layout }

  /// Returns the layout of a file, and the sharing habits learned from it.
  static func learned(
    from file: BinaryPropertyList
  ) throws(FerryError) -> (layout: BinaryLayout, sharing: ScalarSharing<BinaryPropertyList>) {
    var layout = BinaryLayout(rule: try file.isKeyedArchive ? .archiver : .equalScalars)
    let minimal = file.minimalWidths
    if file.offsetWidth != minimal.offset { layout.offsetWidth = file.offsetWidth }
    if file.referenceWidth != minimal.reference { layout.referenceWidth = file.referenceWidth }
    let usual = layout
    var (hasEqualReferences, hasEqualBooleans) = (false, false)
    for repeats in likelyRepeats {
      // If the file refers to two equal nodes, one of them has another number with any other choice.
      if hasEqualReferences, repeats.references != .separate { continue }
      if hasEqualBooleans, repeats.booleans != .separate { continue }
      (layout.references, layout.booleans) = (repeats.references, repeats.booleans)
      (layout.sharesEmptyArrays, layout.isInPairs) = (repeats.sharesEmptyArrays, repeats.isInPairs)
      // References in the file use node numbers, so a layout that changes a number cannot be that of the
      // file.
      let order = try ObjectOrder(of: file, layout: layout, sharing: .stored, onlyIfKept: true)
      hasEqualReferences = hasEqualReferences || order.hasEqualReferences
      hasEqualBooleans = hasEqualBooleans || order.hasEqualBooleans
      guard order.keepsNumbers, order.nodes.count == file.nodeCount else { continue }
      guard try file.hasBytes(of: order.nodes, layout) else { continue }
      layout.deviations = order.deviations
      return (layout, order.scalars)
    }
    layout = usual
    let order = try ObjectOrder(of: file, layout: layout, sharing: .stored)
    let written = MemoryOutput()
    var objects = BinaryObjects(order, of: file, layout: layout, to: written)
    try objects.write()
    layout.deviations = order.deviations
    // No known combination reproduces the file, so a patch stores the differences from the usual layout.
    layout.patch = Patch(from: written.bytes, to: file.bytes.copy)
    return (layout, order.scalars)
  }

  /// A combination of choices for repeated objects.
  private struct Combination {
    var references: Repeats
    var booleans: Repeats
    var sharesEmptyArrays = false
    var isInPairs = false
  }

  /// The combinations that known writers use, the most frequent first.
  private static let likelyRepeats: [Combination] = {
    let usual = [
      Combination(references: .orphans, booleans: .orphans),
      Combination(references: .separate, booleans: .orphans),
      Combination(references: .shared, booleans: .shared, sharesEmptyArrays: true),
      Combination(references: .shared, booleans: .shared),
      Combination(references: .shared, booleans: .orphans),
      Combination(references: .orphans, booleans: .shared),
      Combination(references: .separate, booleans: .shared),
      Combination(references: .separate, booleans: .separate),
      Combination(references: .orphans, booleans: .separate),
    ]
    return usual
      + usual.map { combination in
        var combination = combination
        combination.isInPairs = true
        return combination
      }
  }()
}

extension BinaryLayout.Patch {
  /// Creates the patch that changes `old` to `new`. It covers the bytes from the first to the last
  /// difference.
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

  /// Returns the patched bytes. If the patch is for other bytes, returns these bytes, and adds a loss.
  func applied(to bytes: [UInt8], losses: LossReport?) -> [UInt8] {
    if let patched = applied(to: bytes) { return patched }
    losses?.add(.storedBytes)
    return bytes
  }

  private func applied(to old: [UInt8]) -> [UInt8]? {
    guard old.count == size, range.upperBound <= size, Self.hash(of: old) == hash else { return nil }
    return old[..<range.lowerBound] + bytes + old[range.upperBound...]
  }

  /// Returns the 64-bit FNV-1a hash.
  private static func hash(of bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
