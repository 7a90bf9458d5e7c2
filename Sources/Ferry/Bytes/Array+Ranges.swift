extension Array<Range<Int>> {
  /// The ranges without those inside others. Both ends of them are in ascending order.
  var outermost: [Range<Int>] {
    var outermost: [Range<Int>] = []
    for range in sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) })
    where range.upperBound > outermost.last?.upperBound ?? 0 {
      outermost.append(range)
    }
    return outermost
  }

  /// The ranges in order, with those that overlap or touch as one.
  var joined: [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
