import Ferry

private struct CategorizedBook: Codable, Equatable {
  let id: UInt
  let title: String
  let categories: [String]
  enum CodingKeys: String, CodingKey {
    case id, title
    case categories = "category"
  }
}

private struct Foo: Codable, Equatable {
  let id: String
  let value: String
  enum CodingKeys: String, CodingKey {
    case id
    case value = ""
  }
}

private struct WrappedBook: Codable, Equatable {
  var id: Int
  var name: String
  var authorID: Int
}

private struct FooOptional: Codable, Equatable {
  var id: String?
  let value: Int
  enum CodingKeys: String, CodingKey {
    case id
    case value = ""
  }
}

private struct FooValueElement: Codable, Equatable {
  let valueElement: String
  let value: Int?
  enum CodingKeys: String, CodingKey {
    case valueElement = "value"
    case value = ""
  }
}

private struct Container<T: Codable & Equatable & Sendable>: Codable, Equatable { let foo: [T] }

private struct AppPreview: Codable, Equatable {
  var displayTarget: String
  var position: Int
  var previewImageTime: Time
  struct Time: Codable, Equatable {
    var format: String
    var value: String
    enum CodingKeys: String, CodingKey {
      case format
      case value = ""
    }
  }
  enum CodingKeys: String, CodingKey {
    case displayTarget = "display_target"
    case position
    case previewImageTime = "preview_image_time"
  }
}

private struct Overlapping: Codable, Equatable {
  var attribute: Int
  let element: String
  enum CodingKeys: String, CodingKey {
    case attribute = "@key"
    case element = "key"
  }
}

private struct Thing: Codable, Equatable {
  let attribute: String?
  let value: String
  enum CodingKeys: String, CodingKey {
    case attribute
    case value = ""
  }
}

private struct Things: Codable, Equatable {
  let things: Contained
  struct Contained: Codable, Equatable { let thing: [Thing] }
}

extension XMLCoderSample {
  private static let foos = "<container>\n<foo id=\"123\">456</foo>\n<foo id=\"789\">123</foo>\n</container>"

  private static func wrappedBook(_ content: String, _ attributes: String) -> String {
    "<Book id=\"42\"\(attributes)>\n    \(content)\n</Book>"
  }

  /// Documents with attributes, and with text beside them.
  static let attributes: [XMLCoderSample] = [
    XMLCoderSample(
      "an attribute and an element of one name",
      """
      <book id="123">
          <id>123</id>
          <title>Cat in the Hat</title>
          <category>Kids</category>
          <category>Wildlife</category>
      </book>
      """, CategorizedBook(id: 123, title: "Cat in the Hat", categories: ["Kids", "Wildlife"])),
    XMLCoderSample(
      "text beside an attribute", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<foo id=\"123\">456</foo>",
      Foo(id: "123", value: "456")),
    XMLCoderSample(
      "an element and an attribute",
      wrappedBook("<name>The Book</name><authorID>24</authorID>", " authorID=\"24\""),
      WrappedBook(id: 42, name: "The Book", authorID: 24)),
    XMLCoderSample(
      "an attribute in place of an element", wrappedBook("<name>The Book</name>", " authorID=\"24\""),
      WrappedBook(id: 42, name: "The Book", authorID: 24)),
    XMLCoderSample(
      "an element in place of an attribute", wrappedBook("<authorID>24</authorID><name>The Book</name>", ""),
      WrappedBook(id: 42, name: "The Book", authorID: 24)),
    XMLCoderSample(
      "a list of elements with attributes", foos,
      Container(foo: [Foo(id: "123", value: "456"), Foo(id: "789", value: "123")])),
    XMLCoderSample("numbers in elements with attributes", foos, Container(foo: [456, 123])),
    XMLCoderSample(
      "numbers in elements with and without attributes",
      "<container>\n<foo id=\"123\">456</foo>\n<foo id=\"789\">123</foo>\n<foo>789</foo>\n</container>",
      Container(foo: [456, 123, 789])),
    XMLCoderSample(
      "missing attributes", "<container>\n<foo>456</foo>\n<foo>123</foo>\n</container>",
      Container(foo: [FooOptional(id: nil, value: 456), FooOptional(id: nil, value: 123)])),
    XMLCoderSample(
      "missing text", "<foo><value>blah</value></foo>", FooValueElement(valueElement: "blah", value: nil)),
    XMLCoderSample(
      "names with underscores",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <app_preview display_target="iOS-6.5-in" position="1">
      <preview_image_time format="24/999 1000/nonDrop">00:00:17:01</preview_image_time>
      </app_preview>
      """,
      AppPreview(
        displayTarget: "iOS-6.5-in", position: 1,
        previewImageTime: AppPreview.Time(format: "24/999 1000/nonDrop", value: "00:00:17:01"))),
    XMLCoderSample(
      "an attribute and an element with different values", "<test key=\"123\"><key>StringValue</key></test>",
      Overlapping(attribute: 123, element: "StringValue")),
    XMLCoderSample("an empty element", "<thing></thing>", Thing(attribute: nil, value: "")),
    XMLCoderSample(
      "an empty element with an attribute", "<thing attribute=\"x\"></thing>",
      Thing(attribute: "x", value: "")),
    XMLCoderSample(
      "a list of empty elements as the root",
      """
      <container>
          <thing></thing>
          <thing attribute="x">Non-Empty!</thing>
          <thing>Non-Empty!</thing>
      </container>
      """,
      [
        Thing(attribute: nil, value: ""), Thing(attribute: "x", value: "Non-Empty!"),
        Thing(attribute: nil, value: "Non-Empty!"),
      ]),
    XMLCoderSample(
      "a list in an element",
      "<container><things><thing></thing><thing attribute=\"x\">y</thing></things></container>",
      Things(things: .init(thing: [Thing(attribute: nil, value: ""), Thing(attribute: "x", value: "y")]))),
  ]
}
