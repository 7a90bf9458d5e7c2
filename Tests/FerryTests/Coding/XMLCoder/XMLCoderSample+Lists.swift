import Ferry

private struct Borders: Codable, Equatable {
  let items: [Border?]
  let count: Int
  enum CodingKeys: String, CodingKey {
    case items = "border"
    case count
  }
}

private struct Border: Codable, Equatable {
  struct Value: Codable, Equatable { let style: String? }
  var left: Value?
  var right: Value?
}

private struct LeftBorders: Codable, Equatable {
  let items: [LeftBorder?]
  let count: Int
  enum CodingKeys: String, CodingKey {
    case items = "border"
    case count
  }
}

private struct LeftBorder: Codable, Equatable {
  var left: Border.Value
  var right: Border.Value?
}

private struct Empty: Codable, Equatable {}
private struct EmptyArray: Codable, Equatable {
  let empties: [Empty]
  enum CodingKeys: String, CodingKey { case empties = "empty" }
}
private struct OptionalEmptyWrapper: Codable, Equatable { let empty: Empty? }

private struct ProudParent: Codable, Equatable { var myChildAge: [Int] }

/// A class whose superclass is in an element `super`.
private final class B: A {
  let y: Double
  private enum CodingKeys: CodingKey { case y }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    y = try container.decode(Double.self, forKey: .y)
    try super.init(from: container.superDecoder())
  }
}

private class A: Decodable { let x: String }

private struct ClassValues: Decodable, Equatable {
  let x: String
  let y: Double
  init(x: String, y: Double) { (self.x, self.y) = (x, y) }
  init(from decoder: any Decoder) throws {
    enum Keys: CodingKey { case b }
    let b = try decoder.container(keyedBy: Keys.self).decode(B.self, forKey: .b)
    (x, y) = (b.x, b.y)
  }
}

extension XMLCoderSample {
  private static let border = "<borders count=\"1\">\n<border/>\n</borders>"
  private static let empties = "<container>\n    <empty/>\n    <empty/>\n    <empty/>\n</container>"

  /// Documents with lists, optional values and classes.
  static let lists: [XMLCoderSample] = [
    XMLCoderSample("an empty element in a list of optionals", border, Borders(items: [Border()], count: 1)),
    XMLCoderSample(
      "an empty element that is not a value of its type", border, LeftBorders(items: [nil], count: 1)),
    XMLCoderSample("empty elements as the root", empties, [Empty(), Empty(), Empty()]),
    XMLCoderSample("empty elements", empties, EmptyArray(empties: [Empty(), Empty(), Empty()])),
    XMLCoderSample(
      "an optional empty element", "<container>\n    <empty/>\n</container>",
      OptionalEmptyWrapper(empty: Empty())),
    XMLCoderSample(
      "a list of one", "<ProudParent><myChildAge>2</myChildAge></ProudParent>", ProudParent(myChildAge: [2])),
    XMLCoderSample(
      "lists in a dictionary",
      """
      <element>
          <first>1</first>
          <first>2</first>
          <first>3</first>
          <second>1</second>
          <second>2</second>
          <second>3</second>
      </element>
      """, ["first": [1, 2, 3], "second": [1, 2, 3]]),
    XMLCoderSample(
      "a superclass",
      """
      <s>
          <b>
              <y>4.2</y>
              <super>
                  <x>test_string</x>
              </super>
          </b>
      </s>
      """, ClassValues(x: "test_string", y: 4.2)),
  ]
}
