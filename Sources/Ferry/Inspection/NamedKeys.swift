/// An adapter that replaces each key that is another scalar than a string by its text, which paths use as the key's name.
///
///     1: "one"    →    "1": "one"
final class NamedKeys: HeldKeys, OpenedDataSink, ArchiveEntrySink {
  override func key(on tape: EventTape) throws(FerryError) {
    guard tape.isScalar, let name = try tape.value(at: .start).plainText else {
      return try super.key(on: tape)
    }
    try next.key(name)
  }
}
