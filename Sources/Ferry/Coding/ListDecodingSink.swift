/// A sink that decodes the elements of a file's list while the file is read, so that only one of them at a time is in memory as a value.
///
///     [{"name": "Ada"}, {"name": "Grace"}]                          the whole is the list
///     <people v="1"><person>Ada</person><person>…</person></people>   the children of the root element are the list
///
/// Any other file, and one with an error, has to be read as a whole: the sink then ends the reading with `FerryError.stopped`.
final class ListDecodingSink<Element: Decodable>: InterceptingSink {
  /// The decoded elements.
  private(set) var elements: [Element] = []
  /// True if the whole list was decoded.
  var isComplete: Bool { place == .after }

  /// The place of the next event: before the list, in it or after it.
  private enum Place { case before, inside, after }

  private let builder = ValueBuilder()
  private let decoding: ValueDecoding
  /// The role of the file's value.
  private let role: CodedValue.Role
  private var place = Place.before
  private var list: CodedList?

  init(_ decoding: ValueDecoding, _ role: CodedValue.Role) {
    (self.decoding, self.role) = (decoding, role)
    super.init(to: builder)
  }

  /// Decodes the element that is being built, if it is complete. Only the ends of the elements around the list may follow it.
  override func willSend() throws(FerryError) {
    guard place != .after else { throw .stopped }
    guard place == .inside, builder.isComplete else { return }
    let value = try builder.take()
    do {
      guard let list else { throw FerryError.stopped }
      elements.append(try decoding.decodeElement(Element.self, list.element(value, at: elements.count)))
    } catch {
      // The error is found again, with its source location, when the file is read as a whole.
      throw .stopped
    }
  }

  /// Begins the list, of which the builder has the beginnings of the elements around it.
  private func beginList() throws(FerryError) {
    let steps = builder.path.steps
    guard steps.isEmpty || role == .document && steps.count == 2 && steps.last?.isElement == true else {
      throw .stopped
    }
    try next.beginArray(count: 0)
    try next.endArray()
    for _ in steps { try next.endDictionary() }
    list = decoding.list(in: CodedValue(try builder.take(), role))
    guard list != nil else { throw .stopped }
    place = .inside
  }

  override func beginArray(count: Int?) throws(FerryError) {
    try willSend()
    if place == .before { try beginList() } else { try next.beginArray(count: count) }
  }
  override func endArray() throws(FerryError) {
    try willSend()
    if place == .inside, builder.isEmpty { place = .after } else { try next.endArray() }
  }
  override func endDictionary() throws(FerryError) {
    if place != .after { try super.endDictionary() }
  }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    guard place == .inside else { throw .stopped }
    try super.beginObject(type, identity: identity)
  }
  override func finish() {}
}

extension ValuePath.Step {
  /// True for the name of an element, which is not that of an attribute or of text.
  fileprivate var isElement: Bool {
    if case .key(let name) = self { KeyedValues.isElementName(name) } else { false }
  }
}

/// A type of lists whose elements can be decoded while their file is read.
protocol StreamedList {
  /// Decodes the list in a file. Returns nil if the file has to be read as a whole, also to find out what is wrong with it.
  ///
  /// - Throws: An error of the input, which could not be read again.
  static func decoded(
    from source: DecodedSource, _ role: CodedValue.Role, by decoding: ValueDecoding
  ) throws(FerryError) -> Self?
}

extension Array: StreamedList where Element: Decodable {
  static func decoded(
    from source: DecodedSource, _ role: CodedValue.Role, by decoding: ValueDecoding
  ) throws(FerryError) -> [Element]? {
    // Bytes are data, too. A list of elements of several names, or in their order, is made of all children of the root element.
    guard Element.self != UInt8.self, !(Element.self is any ElementChoice.Type), !decoding.hasContents else {
      return nil
    }
    let sink = ListDecodingSink<Element>(decoding, role)
    // An input that cannot be read again, such as a pipe, is read as a whole at once.
    guard (try? source.input.rewind()) != nil else { return nil }
    let isRead = (try? source.read(into: sink)) != nil
    if isRead, sink.isComplete { return sink.elements }
    try source.input.rewind()
    return nil
  }
}
