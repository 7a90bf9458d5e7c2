/// A cursor over records, which reads the next one when it is asked.
///
///     let people = Records(of: Person.self, from: .file("people.csv")).makeCursor()
///     while let person = try people.next() { print(person.name) }      // Ada, Grace
///
/// Releasing the cursor ends the reading.
public final class RecordCursor<Element> {
  let iteration: RecordIteration<Element>

  init(_ iteration: RecordIteration<Element>) { self.iteration = iteration }

  /// Returns the next record, and blocks the thread until it was read. Returns nil at the end, and after an error.
  ///
  /// - Throws: A `FerryError` of the file, or a `DecodingError`.
  public func next() throws -> Element? { try iteration.next() }
}
