import Dispatch
import Ferry
import FerryFoundation
import Foundation
import Observation
import RegexBuilder
import Synchronization
import Testing

#if canImport(FoundationXML)
  import FoundationNetworking
  import FoundationXML
#endif

/// A file that imports what an app imports beside Ferry. It compiles only if no name has two meanings.
@Suite struct `Names beside those of Foundation` {
  private final class Names: ElementDelegate {
    private(set) var found: [String] = []

    override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
      found.append("\(element.name)")
    }
  }

  @Test func `A delegate and a tree are read beside the classes of FoundationXML`() throws {
    let bytes = Array("<people><person/></people>".utf8)
    let tree = try XMLTree(parsing: bytes.span)
    let theirs = try XMLDocument(data: Data(bytes))
    let name: String? = theirs.rootElement()?.name
    #expect(name == "people")
    #expect("\(tree.root.name)" == "people")
    _ = Names.self
  }

  @Test func `A value, a path and a schema are made without naming the module`() throws {
    let value: Value = ["a": [1]]
    let path: ValuePath = "a[0]"
    #expect(value[path: path] == 1)
    #expect(Format.json.rawValue == "json")
    _ = (
      Schema.self, Budget.self, InputLocation.self, Loss.self, DocumentPackage.self, Conversion.self,
      Document.self
    )
  }
}
