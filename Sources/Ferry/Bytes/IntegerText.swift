/// An integer in decimal, with its sign. It takes no memory of its own, unlike a string.
struct IntegerText {
  /// The digits at the end, because they are found from the last one.
  private var bytes = InlineArray<20, UInt8>(repeating: 0)
  private var first = 20

  init(_ number: Int64) {
    var magnitude = number.magnitude
    repeat {
      first -= 1
      bytes[first] = UInt8(ascii: "0") + UInt8(magnitude % 10)
      magnitude /= 10
    } while magnitude > 0
    guard number < 0 else { return }
    first -= 1
    bytes[first] = UInt8(ascii: "-")
  }

  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.span.extracting(first...) }
  }
}
