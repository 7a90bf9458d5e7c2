/// A routing sink that knows how deep each value is. It is the base class of the adapters of entries.
class EntrySink: RoutingSink {
  /// The number of open collections.
  private(set) var depth = 0

  /// Returns the receiver of a value that is in `depth` collections. Nil leaves the event out.
  func receiver(ofNext kind: Kind) throws(FerryError) -> (any ValueSink)? { next }

  final override func receiver(of kind: Kind) throws(FerryError) -> (any ValueSink)? {
    let receiver = try receiver(ofNext: kind)
    if kind.shape != .scalar { depth += 1 }
    return receiver
  }

  override func didEnd() throws(FerryError) { depth -= 1 }
}
