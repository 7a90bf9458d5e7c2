internal import CSystemCalls

extension Array where Element == UInt8 {
  /// The least size of an array that has several large pages. A smaller one may take more memory with them.
  private static var leastSizeOfLargePages: Int { 8 << 20 }

  /// Reserves memory for the bytes of a file. The system gives the memory for a large file in large pages, if it has them: filling each small
  /// page with zeros when it is first used takes a tenth of the time of a conversion.
  mutating func reserveFileCapacity(_ count: Int) {
    reserveCapacity(count)
    let capacity = capacity
    guard capacity >= Self.leastSizeOfLargePages else { return }
    unsafe withUnsafeMutableBytes { bytes in
      unsafe ferry_prefer_large_pages(bytes.baseAddress, capacity)
    }
  }
}
