/// A reader of one kind of element, which names the delegates of child elements: a link of the chain on which
/// all reading of XML is built.
///
/// One delegate is in charge at a time. It receives the start, text and end of its own element. When a child
/// element starts, `delegate(for:)` returns the delegate that takes over; when the child ends,
/// `childDidFinish` tells the parent, which is in charge again. A child without a delegate is skipped with
/// its contents.
///
/// Delegates are created once and used for every element of their kind, so reading allocates nothing for an
/// element. The following delegates read `<people><person><firstName>Ada</firstName></person>…</people>` into
/// an array:
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
/// A delegate of an element that may contain itself overrides `delegate(for:)` and returns `self`.
open class ElementDelegate {
  private var handlers: [ExactString: ElementDelegate] = [:]
  /// The delegate for each name of a document, by the number of the name: nil for names not looked up yet,
  /// `.some(nil)` for names without a delegate.
  private var known: [ElementDelegate??] = []
  private var knownTable = 0

  /// Creates a delegate without delegates for children.
  public init() {}

  /// Sets the delegate for child elements with a local name, in any namespace.
  public final func handle(_ name: String, with delegate: ElementDelegate) {
    handlers[name] = delegate
    known.removeAll()
  }

  /// Returns true if child elements with a local name have a delegate.
  final func handles(_ name: String) -> Bool { handlers[name] != nil }

  /// Called when the element has started.
  open func didStart(_ element: borrowing XMLElement) throws(FerryError) {}

  /// Returns the delegate for a child element; nil to skip the child with its contents. The default
  /// implementation returns the delegate set by `handle`.
  open func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
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

  /// Called for text of the element, possibly in pieces.
  open func text(_ text: BorrowedText) throws(FerryError) {}

  /// Called for the text of a CDATA section of the element, possibly in pieces. By default, calls `text`.
  open func cdata(_ text: BorrowedText) throws(FerryError) { try self.text(text) }

  /// Called for a comment directly inside the element.
  open func comment(_ text: BorrowedText) throws(FerryError) {}

  /// Called for a processing instruction directly inside the element.
  open func processingInstruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {}

  /// Called when a child has ended, and this delegate is in charge again.
  open func childDidFinish(_ child: ElementDelegate) throws(FerryError) {}

  /// Called when the element has ended.
  open func didEnd() throws(FerryError) {}
}

/// A delegate that collects the text of an element, without that of child elements.
public final class TextDelegate: ElementDelegate {
  private var bytes: [UInt8] = []

  /// Creates a delegate without text. It can be used for any number of elements, one after the other.
  public override init() { super.init() }

  /// The text of the last element that ended.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls a function with the text of the last element that ended.
  public func withText<Result, E: Error>(_ body: (BorrowedText) throws(E) -> Result) throws(E) -> Result {
    let bytes = bytes
    return try body(BorrowedText(bytes.span))
  }

  public override func didStart(_ element: borrowing XMLElement) { bytes.removeAll(keepingCapacity: true) }

  public override func text(_ text: BorrowedText) { bytes.append(copying: text.utf8) }
}
