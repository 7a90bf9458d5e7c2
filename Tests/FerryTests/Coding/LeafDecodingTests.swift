import Foundation
import Testing

@testable import Ferry

/// A value of any kind, which tries a dictionary, a list and a scalar in turn.
private indirect enum Tree: Decodable, Equatable {
  case entries([String: Tree])
  case list([Tree])
  case leaf(String)

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: ValueKey.self) {
      var entries: [String: Tree] = [:]
      for key in container.allKeys { entries[key.stringValue] = try container.decode(Tree.self, forKey: key) }
      self = .entries(entries)
    } else if var container = try? decoder.unkeyedContainer() {
      var list: [Tree] = []
      while !container.isAtEnd { list.append(try container.decode(Tree.self)) }
      self = .list(list)
    } else {
      self = .leaf(try decoder.singleValueContainer().decode(String.self))
    }
  }
}

/// A list of lists, or a text.
private enum Nested: Decodable, Equatable {
  case list([Nested])
  case leaf(String)

  init(from decoder: any Decoder) throws {
    if let list = try? decoder.singleValueContainer().decode([Nested].self) {
      self = .list(list)
    } else {
      self = .leaf(try decoder.singleValueContainer().decode(String.self))
    }
  }
}

@Suite struct `Leaves of files whose scalars are text` {
  @Test(arguments: [
    ("<r><a>x</a><b>y</b></r>", "a.xml"), ("a,b\nx,y\n", "a.csv"), ("{ a = x; b = y; }", "a.plist"),
  ])
  func `A type that tries containers in turn ends at a leaf`(_ text: String, _ name: String) throws {
    let tree = try FerryDecoder().decode(Tree.self, from: text, named: name)
    guard case .entries(let entries) = tree else {
      Issue.record("\(tree)")
      return
    }
    #expect(entries.keys.sorted() == ["a", "b"])
  }

  @Test func `A value is a list of one only once for a type that tries lists of itself`() throws {
    let nested = try FerryDecoder().decode(Nested.self, from: "<r><a>x</a></r>", named: "a.xml", at: "a")
    #expect(nested == .list([.leaf("x")]))
  }

  @Test func `The text of an element has no keys, and is still a list of one`() throws {
    struct Texts: Decodable {
      var text: [String]
      enum CodingKeys: String, CodingKey { case text = "#text" }
    }
    #expect(try FerryDecoder().decode(Texts.self, from: "<r>x</r>").text == ["x"])
    struct Inner: Decodable {
      var text: [String: String]
      enum CodingKeys: String, CodingKey { case text = "#text" }
    }
    #expect(throws: DecodingError.self) { try FerryDecoder().decode(Inner.self, from: "<r>x</r>") }
    struct Cell: Decodable { var a: [String: String] }
    #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Cell].self, from: "a,b\nx,y\n", named: "a.csv")
    }
    struct Rows: Decodable { var row: [[Int]] }
    #expect(try FerryDecoder().decode(Rows.self, from: "<r><row>5</row></r>").row == [[5]])
  }
}
