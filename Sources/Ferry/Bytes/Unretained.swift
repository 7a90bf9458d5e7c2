/// A reference to an object that another reference keeps alive meanwhile.
///
/// Reference counting costs more than most calls made through a reference. For an object that is called for
/// every tag of a document and is known to stay alive, as a delegate does while its element is open, this
/// type avoids the cost.
@safe struct Unretained<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  /// The object, with a counted reference.
  var object: Object { unsafe reference.takeUnretainedValue() }

  /// Calls a function with the object.
  @inline(always)
  func lend<Result>(_ body: (Object) -> Result) -> Result { unsafe reference._withUnsafeGuaranteedRef(body) }

  /// Calls a function that may throw with the object.
  @inline(always)
  func lend(_ body: (Object) throws(FerryError) -> Void) throws(FerryError) {
    var thrown: FerryError?
    unsafe reference._withUnsafeGuaranteedRef { object in
      do throws(FerryError) { try body(object) } catch { thrown = error }
    }
    if let thrown { throw thrown }
  }
}
