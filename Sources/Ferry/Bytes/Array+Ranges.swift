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
}
