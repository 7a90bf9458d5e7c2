/// The records of the benchmark.
struct Person: Codable, Equatable {
  var id: Int
  var first: String
  var last: String
  var age: Int
  var height: Double
  var tags: [String]

  static func all(_ count: Int) -> [Person] {
    (0..<count).map {
      Person(
        id: $0, first: "Ada\($0)", last: "Lovelace & Söhne", age: $0 % 90, height: 1 + Double($0 % 100) / 100,
        tags: ["math", "person \($0)"])
    }
  }
}

/// The root element of XML, for XMLCoder, which has a type for each element.
struct People: Codable, Equatable {
  var person: [Person]
}
