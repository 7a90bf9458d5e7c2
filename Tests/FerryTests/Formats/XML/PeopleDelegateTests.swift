import Ferry
import Testing

/// The example of `ElementDelegate`'s documentation.
struct Person: Hashable {
  var id: String?
  var first = ""
  var last = ""
}

final class PersonDelegate: ElementDelegate {
  private let first = TextDelegate()
  private let last = TextDelegate()
  private(set) var person = Person()

  override init() {
    super.init()
    handle("firstName", with: first)
    handle("lastName", with: last)
  }

  override func didStart(_ element: borrowing XMLStartTag) { person = Person(id: element.attribute("id")) }

  override func childDidFinish(_ child: ElementDelegate) {
    if child === first { person.first = first.text } else { person.last = last.text }
  }
}

final class PeopleDelegate: ElementDelegate {
  private let person = PersonDelegate()
  private(set) var people: [Person] = []

  override init() {
    super.init()
    handle("person", with: person)
  }

  override func childDidFinish(_ child: ElementDelegate) { people.append(person.person) }
}

@Suite struct `Records by delegates` {
  @Test func `Each element is read by its own delegate`() throws {
    let people = PeopleDelegate()
    let document = ElementDelegate()
    document.handle("people", with: people)
    let text = """
      <people xmlns:x="urn:x">
        <person id="1"><firstName>Ada &amp; co</firstName><lastName><![CDATA[<Lovelace>]]></lastName></person>
        <!-- nobody --><skipped><person><firstName>No</firstName></person></skipped>
        <x:person><lastName>Turing</lastName></x:person>
      </people>
      """
    try XMLStream(document: document).readAll(text.utf8.span)
    #expect(
      people.people == [
        Person(id: "1", first: "Ada & co", last: "<Lovelace>"), Person(id: nil, first: "", last: "Turing"),
      ])
  }
}
