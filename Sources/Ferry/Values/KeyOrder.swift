/// The order in which an archiver on macOS writes the keys of a dictionary.
///
/// An archived object is a `CFDictionary`, to which the keys are added one by one, `$class` last. The keys
/// are written in the order of the hash table's buckets (CFBasicHash.c). The bucket is the hash modulo the
/// table size or, after a collision, the next free bucket. When the table grows to the next size, its keys
/// are added again in the order of the old buckets.
///
///     ["last", "first", "$class"]     // keys in the order of encoding
///     KeyOrder.indices(of: hashes)    // the indices of these keys in the order of the file
enum KeyOrder {
  private static let sizes = [3, 7, 13, 23, 41, 71, 127, 191, 251, 383, 631]
  private static let capacities = [3, 6, 11, 19, 32, 52, 85, 118, 155, 237, 390]

  /// Returns the indices of keys in the order in which they are written.
  ///
  /// - Parameter hashes: The hashes of the keys in the order in which they were added. With more than 390
  ///   keys, the table sizes are unknown and the order is unchanged.
  static func indices(of hashes: [UInt64]) -> [Int] {
    guard let last = capacities.last, hashes.count <= last else { return Array(hashes.indices) }
    var level = 0
    var buckets = [Int?](repeating: nil, count: sizes[0])
    func add(_ index: Int) {
      var bucket = Int(hashes[index] % UInt64(buckets.count))
      while buckets[bucket] != nil { bucket = (bucket + 1) % buckets.count }
      buckets[bucket] = index
    }
    for index in hashes.indices {
      if index == capacities[level] {
        level += 1
        let old = buckets.compactMap { $0 }
        buckets = [Int?](repeating: nil, count: sizes[level])
        old.forEach(add)
      }
      add(index)
    }
    return buckets.compactMap { $0 }
  }

  /// Returns CFString's hash of a string (CFString.c). It uses all of up to 96 UTF-16 code units, or else
  /// three windows of 32.
  static func hash(_ units: [UInt16]) -> UInt64 {
    var result = UInt64(units.count)
    if units.count <= 96 {
      mix(units[...], into: &result)
    } else {
      let middle = units.count >> 1
      mix(units[..<32], into: &result)
      mix(units[(middle - 16)..<(middle + 16)], into: &result)
      mix(units[(units.count - 32)...], into: &result)
    }
    return result &+ (result << UInt64(units.count & 31))
  }

  private static func mix(_ units: ArraySlice<UInt16>, into result: inout UInt64) {
    var units = units
    while units.count >= 4 {
      let four = units.prefix(4).reduce(into: UInt64(0)) { $0 = $0 &* 257 &+ UInt64($1) }
      result = result &* 67_503_105 &+ four
      units = units.dropFirst(4)
    }
    for unit in units { result = result &* 257 &+ UInt64(unit) }
  }
}
