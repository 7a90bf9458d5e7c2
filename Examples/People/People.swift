import Ferry
import Foundation

/// Reads people out of XML with delegates of our own: one a kind of element.
///
///     swift run people Examples/folks.xml
///     Matt Neuburg
///     Snidely Whiplash
///     Dudley Doright
struct Person {
  var first = ""
  var last = ""
}

/// Reads one `<person>`, again and again.
final class PersonDelegate: ElementDelegate {
  private let first = TextDelegate()
  private let last = TextDelegate()
  private(set) var person = Person()

  override init() {
    super.init()
    handle("firstName", with: first)
    handle("lastName", with: last)
  }

  override func didStart(_ element: borrowing XMLStartTag) { person = Person() }

  override func childDidFinish(_ child: ElementDelegate) {
    if child === first { person.first = first.text } else { person.last = last.text }
  }
}

/// Reads `<people>`: whenever a person ends, takes it.
final class PeopleDelegate: ElementDelegate {
  private let person = PersonDelegate()
  private(set) var people: [Person] = []

  override init() {
    super.init()
    handle("person", with: person)
  }

  override func childDidFinish(_ child: ElementDelegate) { people.append(person.person) }
}

@main
struct Example {
  static func main() {
    let people = PeopleDelegate()
    let document = ElementDelegate()
    document.handle("people", with: people)
    let path = CommandLine.arguments.dropFirst().first ?? "-"
    do throws(FerryError) {
      let input = try FileInput(path: path)
      let stream = try XMLStream(document: document)
      try input.forEachChunk { chunk throws(FerryError) in try stream.read(chunk) }
      try stream.finish()
      for person in people.people { print(person.first, person.last) }
    } catch {
      print(error.placed(inFile: path))
      exit(1)
    }
  }
}
