/// An object that somebody else keeps alive for as long as this is used.
///
/// Counting a reference costs more than most calls made through it. Where an object is called with every tag
/// of a document and is known to stay, as a delegate does while its element is open, it is called through
/// this instead.
@safe struct Unretained<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  /// The object, with a reference of its own.
  var object: Object { unsafe reference.takeUnretainedValue() }

  /// Lends the object.
  @inline(always)
  func lend<Result>(_ body: (Object) -> Result) -> Result { unsafe reference._withUnsafeGuaranteedRef(body) }

  /// Lends the object to what may fail.
  @inline(always)
  func lend(_ body: (Object) throws(Failure) -> Void) throws(Failure) {
    var failure: Failure?
    unsafe reference._withUnsafeGuaranteedRef { object in
      do throws(Failure) { try body(object) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
