/// A reference to an object that is not retained, because another reference keeps the object alive.
///
/// Retaining and releasing an object costs more than most calls of its methods. This type avoids the cost for
/// objects that are called for every tag of a document and are known to stay alive, such as the delegates of
/// open elements.
@safe struct Unretained<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  /// The object, retained.
  var object: Object { unsafe reference.takeUnretainedValue() }

  /// Calls a function with the object without retaining it.
  @inline(always)
  func lend<Result>(_ body: (Object) -> Result) -> Result { unsafe reference._withUnsafeGuaranteedRef(body) }

  /// Calls a throwing function with the object without retaining it, and returns its result.
  @inline(always)
  func lend<Result>(throwing body: (Object) throws(FerryError) -> Result) throws(FerryError) -> Result {
    let result = unsafe reference._withUnsafeGuaranteedRef { object in
      Swift.Result { () throws(FerryError) in try body(object) }
    }
    return try result.get()
  }

  /// Calls a throwing function with the object without retaining it.
  @inline(always)
  func lend(_ body: (Object) throws(FerryError) -> Void) throws(FerryError) {
    var thrown: FerryError?
    unsafe reference._withUnsafeGuaranteedRef { object in
      do throws(FerryError) { try body(object) } catch { thrown = error }
    }
    if let thrown { throw thrown }
  }
}
