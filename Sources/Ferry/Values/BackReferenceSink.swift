/// A filter that replaces objects with an identity by references to them. It is used for a value whose
/// objects have already been sent.
final class BackReferenceSink: RoutingSink {
  /// The nesting depth of objects in the object that is replaced, counting that object.
  private var skipped = 0

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    if skipped == 0, let identity {
      try next.reference(identity)
      skipped = 1
    } else if skipped > 0 {
      skipped += 1
    } else {
      try next.beginObject(type, identity: nil)
    }
  }

  override func endObject() throws(FerryError) {
    if skipped > 0 { skipped -= 1 } else { try next.endObject() }
  }

  /// The next sink, or nil inside an object that is replaced.
  private var receiver: (any ValueSink)? { skipped == 0 ? next : nil }

  override func receiver(of kind: Kind) -> (any ValueSink)? { receiver }
  override func receiverOfKey() -> (any ValueSink)? { receiver }
  override func receiverOfEnd() -> (any ValueSink)? { receiver }
}
