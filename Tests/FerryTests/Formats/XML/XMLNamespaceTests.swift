import TestSupport
import Testing

@testable import Ferry

/// The rules of "Namespaces in XML 1.0" (third edition) for documents that are well-formed without them.
@Suite struct `Namespaces in XML` {
  /// Documents that break a rule, by section, with the location of the error and its message.
  static let refused: [(section: String, document: String, message: String)] = [
    // A prefix has to be declared around its use.
    ("5", "<1️⃣p:a/>", notDeclared("p")),
    ("5", "<a>\n <b 1️⃣p:c=''/></a>", notDeclared("p")),
    ("5", "<a><p:b xmlns:p='u'/><1️⃣p:b/></a>", notDeclared("p")),
    ("5", "<a><b xmlns:p='u'/><b 1️⃣p:c=''/></a>", notDeclared("p")),
    ("5", "<1️⃣P:a xmlns:p='u'/>", notDeclared("P")),
    ("5", "<a xmlns:é='u'><1️⃣e:b/></a>", notDeclared("e")),
    // The prefix xmlns is bound, but no element has it, and no document declares it or its namespace.
    ("3", "<1️⃣xmlns:a/>", notDeclared("xmlns")),
    ("3", "<1️⃣a xmlns:xmlns='u'/>", reserved),
    ("3", "<1️⃣a xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>", reserved),
    ("3", "<1️⃣a xmlns:p='http://www.w3.org/2000/xmlns/'/>", reserved),
    ("3", "<1️⃣a xmlns='http://www.w3.org/2000/xmlns/'/>", reserved),
    // The prefix xml has one namespace, which has no other prefix and is not the default.
    ("3", "<1️⃣a xmlns:xml='u'/>", reserved),
    ("3", "<1️⃣a xmlns:xml=''/>", reserved),
    ("3", "<a><1️⃣b xmlns:p='http://www.w3.org/XML/1998/namespace'/></a>", reserved),
    ("3", "<1️⃣a xmlns='http://www.w3.org/XML/1998/namespace'/>", reserved),
    // No prefix is undeclared, which only version 1.1 has.
    ("5", "<a 1️⃣xmlns:p=''/>", #"the prefix "p" cannot be declared like this"#),
    ("5", "<p:a xmlns:p='u'><p:b 1️⃣xmlns:p=''/></p:a>", #"the prefix "p" cannot be declared like this"#),
    // Attributes have different expanded names, also if their prefixes differ.
    ("6.3", "<a xmlns:p='u' xmlns:q='u' p:b='' 1️⃣q:b=''/>", twice("b")),
    ("6.3", "<a xmlns:p='u'><b xmlns:q='u' p:c='' 1️⃣q:c=''/></a>", twice("c")),
    ("6.3", "<a xmlns:p='u' xmlns:q='&#117;' p:b='' 1️⃣q:b=''/>", twice("b")),
    ("6.3", "<a b='' 1️⃣b=''/>", twice("b")),
    ("6.3", "<a xmlns='u' 1️⃣xmlns='v'/>", twice("xmlns")),
    ("6.3", "<a xmlns:p='u' 1️⃣xmlns:p='u'/>", twice("xmlns:p")),
    // A name has one colon at most, between a prefix and a local name.
    ("4", "<a:b1️⃣:c xmlns:a='u'/>", colons), ("4", "<a xmlns:p='u' p:b1️⃣:c=''/>", colons),
    ("4", "<:a1️⃣/>", colons), ("4", "<a:1️⃣ xmlns:a='u'/>", colons), ("4", "<a :b1️⃣=''/>", colons),
    ("4", "<a xmlns:1️⃣='u'/>", colons), ("4", "<a xmlns:p='u' p:1️⃣=''/>", colons),
    ("4", "<a xmlns:p='u'><p:1️⃣1/></a>", colons), ("4", "<a xmlns:p='u' p:1️⃣-b=''/>", colons),
    // The names of instructions, entities and notations have no colon.
    ("7", "<?p:q1️⃣ x?><a/>", colons), ("7", "<a><?p:q1️⃣ x?></a>", colons), ("7", "<a/><?p:q1️⃣ x?>", colons),
    ("7", "<!DOCTYPE a [<!ENTITY p:e1️⃣ 'x'>]><a/>", colons),
    ("7", "<!DOCTYPE a [<!ENTITY % p:e1️⃣ 'x'>]><a/>", colons),
    ("7", "<!DOCTYPE a [<!NOTATION p:n1️⃣ SYSTEM 'x'>]><a/>", colons),
    // An end tag has the prefix of its start tag, and not another one for the same namespace.
    ("6.1", "<p:a xmlns:p='u' xmlns:q='u'>1️⃣</q:a>", "</q:a> cannot close <p:a>, which began on line 1"),
    ("6.1", "<p:a xmlns:p='u' xmlns='u'>1️⃣</a>", "</a> cannot close <p:a>, which began on line 1"),
    ("6.1", "<a xmlns:p='u' xmlns='u'>\n<b>1️⃣</p:b></a>", "</p:b> cannot close <b>, which began on line 2"),
    ("6.1", "<é:a xmlns:é='u'>&amp;\n1️⃣</ü:a >", "</ü:a> cannot close <é:a>, which began on line 1"),
    ("6.1", "<p:a xmlns:p='u'><b/>1️⃣", "the document ends inside <p:a>"),
  ]

  private static let reserved =
    "the prefixes xml and xmlns, and their namespaces, cannot be declared like this"
  private static let colons = "a name has one colon at most, between its prefix and the rest"
  private static func notDeclared(_ prefix: String) -> String {
    "the prefix \"\(prefix)\" is not declared (xmlns:PREFIX=\"…\" declares one)"
  }
  private static func twice(_ name: String) -> String { "the attribute \"\(name)\" is given twice" }

  /// Documents that break no rule, with the expanded names of their elements and attributes.
  static let accepted: [(section: String, document: String, names: String)] = [
    ("3", "<xml:a xml:b=''/>", "{\(xml)}a {\(xml)}b"),
    ("3", "<a xmlns:xml='\(xml)' xml:b=''/>", "a {\(xml)}b"),
    ("3", "<a xmlns:xmlfoo='u' xmlns:XML='v' xmlfoo:b='' XML:b=''/>", "a {u}b {v}b"),
    ("5", "<p:a xmlns:p='u'><p:b xmlns:p='v'><p:c/></p:b><p:d/></p:a>", "{u}a {v}b {v}c {u}d"),
    ("5", "<p:a p:b='' xmlns:p='u'/>", "{u}a {u}b"),
    ("5", "<é:ä xmlns:é='u'/>", "{u}ä"),
    // A default namespace is that of elements only, and ends where it is declared as empty.
    ("6.2", "<a xmlns='u' b=''><c xmlns=''><d/></c><e/></a>", "{u}a b c d {u}e"),
    ("6.2", "<a xmlns=''/>", "a"),
    ("6.3", "<a xmlns:p='u' xmlns='u' p:b='' b=''/>", "{u}a {u}b b"),
    // Namespaces are compared as texts, and not as the addresses that they are.
    ("2.3", "<a xmlns:p='U' xmlns:q='u' p:b='' q:b=''/>", "a {U}b {u}b"),
    ("2.3", "<a xmlns:p='u:%7e' xmlns:q='u:~' p:b='' q:b=''/>", "a {u:%7e}b {u:~}b"),
    ("2.3", "<a xmlns:p='u:a/../b' xmlns:q='u:b' p:b='' q:b=''/>", "a {u:a/../b}b {u:b}b"),
    ("2.2", "<a xmlns='relative'><b xmlns='#x'/></a>", "{relative}a {#x}b"),
    // Declarations may be default values of the document type.
    ("3", "<!DOCTYPE p:a [<!ATTLIST p:a xmlns:p CDATA 'u'>]><p:a/>", "{u}a"),
    ("3", "<!DOCTYPE a [<!ATTLIST a xmlns CDATA #FIXED 'u'>]><a><b/></a>", "{u}a {u}b"),
    // Only a validating parser refuses colons in values of the types ID, IDREF and NMTOKEN.
    ("7", "<!DOCTYPE a [<!ATTLIST a i ID #IMPLIED j NMTOKEN #IMPLIED>]><a i='p:q' j=':'/>", "a i j"),
  ]

  private static let xml = "http://www.w3.org/XML/1998/namespace"

  /// A delegate that notes the expanded names of elements and attributes.
  private final class NameDelegate: ElementDelegate {
    private(set) var names: [String] = []

    override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? { self }

    override func didStart(_ element: borrowing XMLStartTag) {
      add(element.name)
      for index in 0..<element.attributeCount { add(element.attributeName(index)) }
    }

    private func add(_ name: XMLName) {
      names.append((name.namespace.map { "{\($0)}" } ?? "") + name.local)
    }
  }

  /// Reads a document in chunks. Returns the expanded names.
  ///
  /// - Parameter mayScan: False to read all of it with libxml2.
  private func names(
    _ document: [UInt8], mayScan: Bool, chunk size: Int
  ) throws(FerryError) -> String {
    let delegate = NameDelegate()
    let stream = try XMLStream(document: delegate, budget: Budget(), losses: nil, mayScan: mayScan)
    try stream.readAll(document, chunk: size)
    return delegate.names.joined(separator: " ")
  }

  @Test(arguments: Self.refused.indices)
  func `A document that breaks a rule is refused at the same location, scanned or read by libxml2`(
    _ index: Int
  ) throws {
    let rule = Self.refused[index]
    let text = MarkedText(rule.document)
    for mayScan in [true, false] {
      for size in [1, 3, 1 << 16] {
        let failure = #expect(throws: FerryError.self, "\(rule)") {
          try names(text.bytes, mayScan: mayScan, chunk: size)
        }
        #expect(failure?.reason.description == rule.message, "\(rule), chunk \(size), \(mayScan)")
        #expect(failure?.location == text.location, "\(rule), chunk \(size), \(mayScan)")
      }
    }
    let failure = #expect(throws: FerryError.self) { try treeCalls(text.bytes) }
    #expect(failure?.reason.description == rule.message, "\(rule)")
  }

  @Test(arguments: Self.accepted.indices)
  func `Names have the namespaces of the rules, scanned or read by libxml2`(_ index: Int) throws {
    let rule = Self.accepted[index]
    let bytes = Array(rule.document.utf8)
    for mayScan in [true, false] {
      for size in [1, 3, 1 << 16] {
        #expect(try names(bytes, mayScan: mayScan, chunk: size) == rule.names, "\(rule)")
      }
    }
  }

  @Test func `The namespaces in scope of an element are found in time in proportion to their number`() throws
  {
    try expectGrowth(from: 500, to: 4_000, lessThan: 16) { count in
      let declarations = (0..<count).map { " xmlns:p\($0)='u'" }.joined()
      let tree = try XMLTree(parsing: Array("<a\(declarations)><b xmlns:p0='v'/></a>".utf8))
      let element = try #require(tree.root.children.first)
      return processorTime {
        for _ in 0..<20 {
          let found = element.namespacesInScope
          #expect(found.count == count && found.first?.namespace == Array("v".utf8))
        }
      }
    }
  }

  /// xmllint prints a mistake in namespaces as an error, but ends with success.
  private func isCorrect(_ document: [UInt8]) async throws -> Bool {
    let answer = try await Peer.run("xmllint", ["--noout", "--nonet", "-"], input: document)
    return answer.succeeded && !answer.errors.contains(" error : ")
  }

  @Test func `xmllint finds the same documents correct`() async throws {
    for rule in Self.refused {
      #expect(try await !isCorrect(MarkedText(rule.document).bytes), "\(rule)")
    }
    for rule in Self.accepted { #expect(try await isCorrect(Array(rule.document.utf8)), "\(rule)") }
  }
}
