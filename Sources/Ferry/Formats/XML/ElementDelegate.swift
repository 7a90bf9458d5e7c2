/// Reads one kind of element, and names who reads its children: a link of the chain that all reading of XML
/// is built on.
///
/// One delegate is in charge at a time. It receives the start, text and end of its own element. When a child
/// element starts, `delegate(for:)` names the delegate that takes over; when the child ends, the parent is
/// told with `childDidFinish` and is in charge again. A child that nobody takes is skipped with all that is
/// inside it.
///
/// Delegates are made once and used for every element of their kind, so reading allocates nothing per
/// element. Reading `<people><person><firstName>Ada</firstName></person>…</people>` into an array:
///
///     final class PersonDelegate: ElementDelegate {
///       private let first = TextDelegate()
///       private let last = TextDelegate()
///       private(set) var person = Person()
///
///       override init() {
///         super.init()
///         handle("firstName", with: first)
///         handle("lastName", with: last)
///       }
///
///       override func didStart(_ element: borrowing XMLElement) {
///         person = Person(id: element.attribute("id"))
///       }
///
///       override func childDidFinish(_ child: ElementDelegate) {
///         if child === first { person.first = first.text } else { person.last = last.text }
///       }
///     }
///
///     final class PeopleDelegate: ElementDelegate {
///       private let person = PersonDelegate()
///       private(set) var people: [Person] = []
///
///       override init() {
///         super.init()
///         handle("person", with: person)
///       }
///
///       override func childDidFinish(_ child: ElementDelegate) { people.append(person.person) }
///     }
///
///     let people = PeopleDelegate()
///     let document = ElementDelegate()
///     document.handle("people", with: people)
///     try XMLStream(document: document).readAll(bytes.span)
///
/// An element that may contain itself overrides `delegate(for:)` and returns `self`.
open class ElementDelegate {
  private var handlers: [ExactString: ElementDelegate] = [:]
  /// What `handlers` says about each name of one document, by the name's number: nil not asked yet,
  /// `.some(nil)` nobody.
  private var known: [ElementDelegate??] = []
  private var knownTable = 0

  /// A delegate that takes no children.
  public init() {}

  /// Names the delegate that takes over for child elements of this name, whatever their namespace.
  public final func handle(_ name: String, with delegate: ElementDelegate) {
    handlers[name] = delegate
    known.removeAll()
  }

  /// Whether someone takes over for child elements of this name.
  final func handles(_ name: String) -> Bool { handlers[name] != nil }

  /// Our element has started, and we are in charge.
  open func didStart(_ element: borrowing XMLElement) throws(Failure) {}

  /// Who takes over for a child element; nil: it is skipped with all that is inside it. Unless overridden,
  /// whoever was named with `handle`.
  open func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    let (name, table) = child.nameNumber
    if table == knownTable, name < known.count, let handler = known[name] { return handler }
    return look(up: child.name)
  }

  private func look(up name: XMLName) -> ElementDelegate? {
    if name.table != knownTable {
      known.removeAll(keepingCapacity: true)
      knownTable = name.table
    }
    while known.count <= name.number { known.append(nil) }
    let handler = handlers[name.local]
    known[name.number] = .some(handler)
    return handler
  }

  /// Text of our element; it may come in pieces.
  open func text(_ text: Text) throws(Failure) {}

  /// Text of a CDATA section of our element; it may come in pieces. It is passed on as text unless this is overridden.
  open func cdata(_ text: Text) throws(Failure) { try self.text(text) }

  /// A comment directly inside our element.
  open func comment(_ text: Text) throws(Failure) {}

  /// A processing instruction directly inside our element.
  open func processingInstruction(target: Text, data: Text) throws(Failure) {}

  /// A child has ended, and we are in charge again.
  open func childDidFinish(_ child: ElementDelegate) throws(Failure) {}

  /// Our element has ended.
  open func didEnd() throws(Failure) {}
}

/// Collects an element's text; child elements are left out.
public final class TextDelegate: ElementDelegate {
  private var bytes: [UInt8] = []

  /// Without text, ready for any number of elements one after the other.
  public override init() { super.init() }

  /// The text of the element that ended last.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Lends the text of the element that ended last.
  public func withText<Result, E: Error>(_ body: (Text) throws(E) -> Result) throws(E) -> Result {
    let bytes = bytes
    return try body(Text(bytes.span))
  }

  public override func didStart(_ element: borrowing XMLElement) { bytes.removeAll(keepingCapacity: true) }

  public override func text(_ text: Text) { bytes.append(copying: text.utf8) }
}
