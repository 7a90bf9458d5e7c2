/// The order in which a Mac's archiver writes the keys of a dictionary.
///
/// An archived object is a `CFDictionary` to which keys were added one by one, `$class` last, and its keys are written in
/// the order of its hash table's buckets (CFBasicHash.c): bucket = hash modulo table size, the next free one on a
/// collision. The table grows through fixed sizes; when it does, keys are put in again in the order of the old buckets.
///
///     ["last", "first", "$class"]     // the encode order …
///     KeyOrder.indices(of: hashes)    // … and the places of its keys in the order of the file
enum KeyOrder {
  private static let sizes = [3, 7, 13, 23, 41, 71, 127, 191, 251, 383, 631]
  private static let capacities = [3, 6, 11, 19, 32, 52, 85, 118, 155, 237, 390]

  /// The places of keys, given in the order of their adding, in the order of their writing. Beyond 390 keys the table's
  /// sizes are not known, and the order stays as it is.
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

  /// CFString's hash (CFString.c): over all UTF-16 units up to 96, beyond that over three windows of 32.
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
