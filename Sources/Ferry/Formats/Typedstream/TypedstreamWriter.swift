/// A writer of a value as a typedstream, as `NSArchiver` would archive it.
///
///     a string, data, a date      NSString, NSData, NSDate
///     a number, a boolean         NSNumber, of the type q (Q beyond 2⁶³), d, f or B
///     null                        NSNull in a collection
///     an array, set, dictionary   NSArray, NSSet, NSDictionary
///     an object                   its class, if Ferry can archive it
///
/// The value of an object of any other class is written without the class, which is reported, because only the class
/// knows which values it archives, and in which order. An object with several references is written once.
final class TypedstreamWriter: ForwardingSink {
  private let tapeSink = TapeSink()
  private let output: any ByteOutput
  private let losses: LossReport?

  init(to output: any ByteOutput, losses: LossReport?) {
    (self.output, self.losses) = (output, losses)
    super.init(to: tapeSink)
  }

  override func uid(_ number: UInt64) throws(FerryError) { throw cannotHold("a reference of an archive") }

  override func number(_ text: BorrowedText) throws(FerryError) {
    throw cannotHold("a decimal in its own notation")
  }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: "a typedstream")))
  }

  override func finish() throws(FerryError) {
    let tape = tapeSink.tape
    guard tape.isBalanced, tape.count > 0, tape.next(after: .start) == tape.end else {
      throw FerryError(.archive(.badEvents("a typedstream holds one whole value")))
    }
    var copier = TypedstreamCopier(tape, losses: losses)
    let bytes = try copier.encode()
    try output.write(bytes.span)
  }
}
