import Ferry

/// A person's names, or what a thing is and where.
struct Line: Sendable {
  var first: String
  var last: String

  init(_ first: String, _ last: String) {
    self.first = first
    self.last = last
  }
}

/// A document that lists something.
@DocumentActor
protocol Listing: Document {
  var lines: [Line] { get }
  func append(_ line: Line)
  func replaceAll(with line: Line, count: Int)
}

extension PeopleDocument: Listing {
  var lines: [Line] { people.map { Line($0.first, $0.last) } }

  func append(_ line: Line) { edit { $0.people.append(Person(first: line.first, last: line.last)) } }

  func replaceAll(with line: Line, count: Int) {
    edit { $0.people = Array(repeating: Person(first: line.first, last: line.last), count: count) }
  }
}

extension ThingsDocument: Listing {
  var lines: [Line] { things.map { Line($0.name, $0.location) } }

  func append(_ line: Line) { edit { $0.append(Thing(name: line.first, location: line.last)) } }

  /// Every fourth thing has an image: its own name, many times.
  func replaceAll(with line: Line, count: Int) {
    let image = Array(String(repeating: line.first + " ", count: 10_000).utf8)
    edit { document in
      for index in document.things.indices.reversed() { document.remove(at: index) }
      for index in 0..<count {
        document.append(
          Thing(name: line.first, location: line.last), image: index.isMultiple(of: 4) ? image : nil)
      }
    }
  }
}
