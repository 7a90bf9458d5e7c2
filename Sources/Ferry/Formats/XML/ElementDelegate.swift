/// A reader of one kind of XML element. All reading of XML is based on delegates, each of which chooses the
/// delegates of its child elements.
///
/// One delegate at a time receives events: the start, the text and the end of its own element. When a child
/// element starts, `delegate(for:)` returns the delegate that receives the child's events. When the child
/// ends, `childDidFinish` is called on the parent's delegate, which receives events again. A child without a
/// delegate is skipped with its contents.
///
/// A delegate is created once and used for all elements of its kind, so that no element needs an allocation.
/// For example, these delegates read `<people><person><firstName>Ada</firstName></person>…</people>` into an
/// array:
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
///       override func didStart(_ element: borrowing XMLStartTag) {
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
/// The delegate of an element that may contain elements of its own kind overrides `delegate(for:)` to return
/// `self`.
open class ElementDelegate {
  private var handlers: [ExactString: ElementDelegate] = [:]
  /// The delegate for each name in a document, by the number of the name. It is nil for a name that was not
  /// looked up yet, and `.some(nil)` for a name without a delegate.
  private var known: [ElementDelegate??] = []
  private var knownTable = 0
  /// Returns the name under which the delegate of a child element was set. If it is nil, this is the name with its escaped prefix,
  /// or else the local name.
  final var handledName: ((XMLName) -> String)?

  /// Creates a delegate that skips all child elements.
  public init() {}

  /// Sets the delegate for child elements with a local name. The namespace is ignored.
  public final func handle(_ name: String, with delegate: ElementDelegate) {
    handlers[name] = delegate
    known.removeAll()
  }

  /// Returns true if child elements with a local name have a delegate.
  final func handles(_ name: String) -> Bool { handlers[name] != nil }

  /// Called when the element has started.
  open func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {}

  /// Returns the delegate for a child element, or nil to skip the child with its contents. By default,
  /// returns the delegate set with `handle`.
  open func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
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
    let handler =
      if let handledName {
        handlers[handledName(name)]
      } else {
        name.nameWithEscapedPrefix.flatMap { handlers[$0] } ?? handlers[name.local]
      }
    known[name.number] = .some(handler)
    return handler
  }

  /// Called instead of `didStart`, `text` and `didEnd` for an element that has only text. Returns false, without an
  /// effect, if these must be called.
  func receive(onlyText text: BorrowedText) throws(FerryError) -> Bool { false }

  /// Called with the events from the start of a child element on. Receives as many whole children, with the layout between
  /// them, as the delegate can read without calls for each element. Returns the index of the first event that it has not
  /// received. By default, receives nothing.
  func receive(childrenOf events: borrowing ElementBatch, from index: Int) throws(EventFailure) -> Int {
    index
  }

  /// Called for text directly inside the element. A text may arrive in several calls.
  open func text(_ text: BorrowedText) throws(FerryError) {}

  /// Called for the text of a CDATA section, possibly in several calls. By default, calls `text`.
  open func cdata(_ text: BorrowedText) throws(FerryError) { try self.text(text) }

  /// Called for a comment directly inside the element.
  open func comment(_ text: BorrowedText) throws(FerryError) {}

  /// Called for a processing instruction directly inside the element.
  open func processingInstruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {}

  /// Called when a child element has ended.
  open func childDidFinish(_ child: ElementDelegate) throws(FerryError) {}

  /// Called when the element has ended.
  open func didEnd() throws(FerryError) {}
}
