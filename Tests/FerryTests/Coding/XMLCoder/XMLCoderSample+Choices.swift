// swift-format-ignore-file: NoLeadingUnderscores
import Ferry

private struct Empty: Codable, Equatable {}

private enum IntOrString: Codable, Equatable, ElementChoice {
  case int(Int)
  case string(String)

  enum CodingKeys: String, CodingKey { case int, string }
  enum IntCodingKeys: String, CodingKey { case _0 = "" }
  enum StringCodingKeys: String, CodingKey { case _0 = "" }
}

private enum InlineChoice: Codable, Equatable, ElementChoice {
  case simple(Nested1)
  case nested(Nested1, labeled: Nested2)
  case attributesOnly(AttributesOnly)

  enum CodingKeys: String, CodingKey { case simple, nested, attributesOnly }
  enum SimpleCodingKeys: String, CodingKey { case _0 = "" }
  enum NestedCodingKeys: String, CodingKey {
    case _0 = ""
    case labeled
  }
  enum AttributesOnlyCodingKeys: String, CodingKey { case _0 = "" }

  struct Nested1: Codable, Equatable {
    var attr = "n1_a1"
    var val = "n1_v1"
  }
  struct Nested2: Codable, Equatable { var val = "n2_val" }
  struct AttributesOnly: Codable, Equatable {
    var name = "attr"
    enum CodingKeys: String, CodingKey { case name = "Name" }
  }
}

private enum TextItem: Decodable, Equatable, ElementChoice {
  case bold(String)
  case text(String)

  enum CodingKeys: String, CodingKey {
    case bold = "b"
    case text = ""
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch container.allKeys.first {
    case .bold: self = .bold(try container.decode(String.self, forKey: .bold))
    default: self = .text(try container.decode(String.self, forKey: .text))
    }
  }
}

private struct Paragraphs: Decodable, Equatable {
  let paragraphs: [Paragraph]
  enum CodingKeys: String, CodingKey { case paragraphs = "p" }
}

private struct Paragraph: Decodable, Equatable {
  let entries: [Entry]
  init(_ entries: [Entry]) { self.entries = entries }
  init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([Entry].self)
  }
}

private enum Entry: Decodable, Equatable, ElementChoice {
  case run(Run)
  case properties(Properties)
  case br(Empty)

  struct Run: Decodable, Equatable {
    let id: Int
    let text: String
  }
  struct Properties: Decodable, Equatable {
    let id: Int
    let title: String
  }

  enum CodingKeys: String, CodingKey { case run, properties, br }
  enum RunCodingKeys: String, CodingKey { case _0 = "" }
  enum PropertiesCodingKeys: String, CodingKey { case _0 = "" }
  enum BrCodingKeys: String, CodingKey { case _0 = "" }
}

private struct ChapteredBook: Decodable, Equatable {
  let title: String
  let chapters: [Chapter]
}

private enum Chapter: Decodable, Equatable, ElementChoice {
  struct Content: Decodable, Equatable {
    let title: String
    let content: String
    enum CodingKeys: String, CodingKey {
      case title
      case content = ""
    }
  }

  case intro(Content)
  case body(Content)
  case outro(Content)

  enum CodingKeys: String, CodingKey {
    case intro, outro
    case body = "chapter"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    do {
      self = .body(try container.decode(Content.self, forKey: .body))
    } catch {
      do {
        self = .intro(try container.decode(Content.self, forKey: .intro))
      } catch {
        self = .outro(try container.decode(Content.self, forKey: .outro))
      }
    }
  }
}

private struct MixedOtherFirst: Decodable, Equatable {
  let intOrString: IntOrString
  let otherValue: String
  enum CodingKeys: String, CodingKey { case otherValue = "other-value" }

  init(_ intOrString: IntOrString, _ otherValue: String) {
    (self.intOrString, self.otherValue) = (intOrString, otherValue)
  }
  init(from decoder: any Decoder) throws {
    otherValue = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .otherValue)
    intOrString = try IntOrString(from: decoder)
  }
}

extension XMLCoderSample {
  private static let inOrder: @Sendable (inout FerryDecoder) -> Void = { $0.reading.xml.order = .needed }

  /// Documents with lists of elements of several names.
  static let choices: [XMLCoderSample] = [
    XMLCoderSample(
      "one of several elements", "<container>\n<int>42</int>\n</container>", IntOrString.int(42)),
    XMLCoderSample(
      "elements of several names in their order",
      """
      <container>
          <int>1</int>
          <string>two</string>
          <string>three</string>
          <int>4</int>
          <int>5</int>
      </container>
      """, [IntOrString.int(1), .string("two"), .string("three"), .int(4), .int(5)], inOrder),
    XMLCoderSample(
      "elements of several names with children",
      """
      <container>
          <nested attr="n1_a1">
              <val>n1_v1</val>
              <labeled>
                  <val>n2_val</val>
              </labeled>
          </nested>
          <simple attr="n1_a1">
              <val>n1_v1</val>
          </simple>
          <attributesOnly Name="attr" />
      </container>
      """,
      [
        InlineChoice.nested(.init(), labeled: .init()), .simple(.init()), .attributesOnly(.init()),
      ], inOrder),
    XMLCoderSample(
      "text between elements", "<container>first<b>bold text</b>second</container>",
      [TextItem.text("first"), .bold("bold text"), .text("second")], inOrder),
    XMLCoderSample(
      "elements of several names in paragraphs",
      """
      <container>
          <p>
              <br></br>
              <run>
                  <id>1518</id>
                  <text>I am answering it again.</text>
              </run>
              <properties>
                  <id>431</id>
                  <title>A Word About Wake Times</title>
              </properties>
          </p>
          <p>
              <run id="1519">
                  <text>I am answering it again.</text>
              </run>
              <br />
              <run id="1520" text="x"/>
          </p>
      </container>
      """,
      Paragraphs(paragraphs: [
        Paragraph([
          .br(Empty()), .run(Entry.Run(id: 1518, text: "I am answering it again.")),
          .properties(Entry.Properties(id: 431, title: "A Word About Wake Times")),
        ]),
        Paragraph([
          .run(Entry.Run(id: 1519, text: "I am answering it again.")), .br(Empty()),
          .run(Entry.Run(id: 1520, text: "x")),
        ]),
      ]), inOrder),
    XMLCoderSample(
      "chapters of several kinds",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <book title="Example">
          <chapters>
              <intro title="Intro">Content of first chapter</intro>
              <chapter title="Chapter 1">Content of chapter 1</chapter>
              <chapter title="Chapter 2">Content of chapter 2</chapter>
              <outro title="Epilogue">Content of last chapter</outro>
          </chapters>
      </book>
      """,
      ChapteredBook(
        title: "Example",
        chapters: [
          .intro(Chapter.Content(title: "Intro", content: "Content of first chapter")),
          .body(Chapter.Content(title: "Chapter 1", content: "Content of chapter 1")),
          .body(Chapter.Content(title: "Chapter 2", content: "Content of chapter 2")),
          .outro(Chapter.Content(title: "Epilogue", content: "Content of last chapter")),
        ]), inOrder),
    XMLCoderSample(
      "one of several elements beside another",
      "<container><int>4</int><other-value>other</other-value></container>",
      MixedOtherFirst(.int(4), "other")),
  ]
}
