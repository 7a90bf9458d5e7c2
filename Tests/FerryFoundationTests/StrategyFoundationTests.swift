import Ferry
import FerryFoundation
import Foundation
import TestSupport
import Testing

@Suite struct `Strategies with types of Foundation` {
  private let dates = [
    Date(timeIntervalSinceReferenceDate: 86_400), Date(timeIntervalSinceReferenceDate: 0),
  ]

  private static func formatter() -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy/MM/dd"
    return formatter
  }

  @Test func `A formatter writes and reads dates, as it does for JSONEncoder`() throws {
    let formatter = Self.formatter()
    var (encoder, decoder) = (FerryEncoder(to: .json), FerryDecoder())
    (encoder.dates, decoder.dates) = (.formatted(formatter), .formatted(formatter))
    let bytes = try encoder.encode(dates)
    #expect(String(decoding: bytes, as: UTF8.self) == #"["2001/01/02","2001/01/01"]"# + "\n")
    #expect(try decoder.decode([Date].self, from: bytes) == dates)
    let peer = JSONDecoder()
    peer.dateDecodingStrategy = .formatted(formatter)
    #expect(try peer.decode([Date].self, from: Data(bytes)) == dates)
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([Date].self, from: #"["2001/01/02","x"]"#.utf8)
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.codingPath.map(\.intValue) == [1])
  }

  @Test func `A function encodes dates without naming their type`() throws {
    var encoder = FerryEncoder(to: .json)
    encoder.dates = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.timeIntervalSinceReferenceDate / 86_400)
    }
    #expect(String(decoding: try encoder.encode(dates), as: UTF8.self) == "[1.0,0.0]\n")
  }

  /// The keys of a dictionary, and the values that a decoder has for them.
  private struct Keyed: Decodable, Equatable {
    var values: [String: Int] = [:]

    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys {
        values[key.stringValue] = try container.decode(Int.self, forKey: key)
      }
    }
  }

  @Test(arguments: [
    "first_name", "First_name", "FIRST_NAME", "first__name", "_first_name", "first_name_", "_first_name__",
    "address_1", "line_2", "x_1_y", "x1_y", "x_1y", "a_b_c", "my_u_r_l", "my_url", "my_URL", "firstName",
    "FirstName", "URL", "AB", "_AB_", "a", "_a", "a_", "__a__", "_", "__", "", "1_a", "a_é", "É_a", "a_ß",
    "a_it's", "a_b.c", "a b_c d",
  ])
  func `Keys in snake case are those of JSONDecoder`(_ name: String) throws {
    let json = Data(#"{"\#(name)": 1}"#.utf8)
    let peer = JSONDecoder()
    peer.keyDecodingStrategy = .convertFromSnakeCase
    var decoder = FerryDecoder()
    decoder.keys = .snakeCase
    let expected = try peer.decode(Keyed.self, from: json)
    #expect(expected.values.count == 1)
    #expect(try decoder.decode(Keyed.self, from: json) == expected)
    // The keys of a dictionary have no strategy.
    #expect(try decoder.decode([String: Int].self, from: json) == [name: 1])
  }

  /// A value with one key.
  private struct OneKey: Encodable {
    let name: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keyed.Key.self)
      try container.encode(1, forKey: Keyed.Key(stringValue: name))
    }
  }

  @Test func `Keys are written in snake case as by JSONEncoder, and kebab case has its words`() throws {
    let peer = JSONEncoder()
    peer.keyEncodingStrategy = .convertToSnakeCase
    var (snake, kebab) = (FerryEncoder(to: .json), FerryEncoder(to: .json))
    (snake.keys, kebab.keys) = (.snakeCase, .kebabCase)
    var names = [
      "firstName", "FirstName", "valueX1Y2", "playerP2P", "URLString", "my_Key", "myURLPath", "myURL", "URL",
      "A",
      "_aB", "__AbC", "aB_", "é", "ÉtéA", "it'sA", "a b C", "_", "",
    ]
    let letters = Array("abXYZ12_éÉß")
    var random = SeededGenerator(seed: 6)
    for _ in 0..<2000 {
      names.append(
        String(
          (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in letters.randomElement(using: &random)
          }))
    }
    for name in names {
      let expected = try peer.encode(OneKey(name: name))
      #expect(try Array(expected) == snake.encode(OneKey(name: name)).dropLast(), "\(name)")
      guard !name.utf8.contains(UInt8(ascii: "_")) else { continue }
      let words = try JSONDecoder().decode([String: Int].self, from: expected).keys.first
      let written = try JSONDecoder().decode([String: Int].self, from: Data(kebab.encode(OneKey(name: name))))
      #expect(written.keys.first == words?.replacing("_", with: "-"))
    }
    #expect(
      try String(decoding: snake.encode(OneKey(name: "valueX1Y2")), as: UTF8.self) == "{\"value_x1y2\":1}\n")
  }

  @Test(arguments: ["valueX1Y2", "playerP2P", "URLString", "my_Key", "myURLPath", "aBC"])
  func `A key that is written in snake case is found by its property`(_ name: String) throws {
    struct Found: Decodable {
      let isFound: Bool
      init(from decoder: any Decoder) throws {
        let name = try #require(decoder.userInfo.values.first as? String)
        isFound = try decoder.container(keyedBy: Keyed.Key.self).contains(Keyed.Key(stringValue: name))
      }
    }
    var (encoder, decoder) = (FerryEncoder(to: .json), FerryDecoder())
    (encoder.keys, decoder.keys) = (.snakeCase, .snakeCase)
    decoder.userInfo = [try #require(CodingUserInfoKey(rawValue: "name")): name]
    #expect(try decoder.decode(Found.self, from: encoder.encode(OneKey(name: name))).isFound)
  }

  private struct Address: Codable, Equatable {
    var firstName: String?
    var address1: String?
    var myURL: String?
    var aBC: Int?
  }

  @Test
  func
    `Properties are found by all names that JSONDecoder converts from snake case, and by those of the encoder`()
    throws
  {
    let peer = JSONDecoder()
    peer.keyDecodingStrategy = .convertFromSnakeCase
    var (decoder, encoder) = (FerryDecoder(), FerryEncoder(to: .json))
    (decoder.keys, encoder.keys) = (.snakeCase, .snakeCase)
    for text in [
      #"{"FIRST_NAME":"Ada","address_1":"Main St","a_b_c":1}"#, #"{"first__name":"Ada","my_u_r_l":"x"}"#,
    ] {
      let address = try decoder.decode(Address.self, from: text)
      #expect(address == (try peer.decode(Address.self, from: Data(text.utf8))))
      #expect(address.firstName == "Ada")
    }
    let address = Address(firstName: "Ada", address1: "Main St", myURL: "x", aBC: 1)
    #expect(try decoder.decode(Address.self, from: encoder.encode(address)) == address)
    let xml = "<a><first_name>Ada</first_name><address_1>Main St</address_1></a>"
    #expect(
      try decoder.decode(Address.self, from: xml, named: "a.xml")
        == Address(firstName: "Ada", address1: "Main St"))
    #expect(
      try decoder.decode([Address].self, from: "FIRST_NAME,address_1\nAda,Main St\n", named: "a.csv")
        == [Address(firstName: "Ada", address1: "Main St")])
  }
}
