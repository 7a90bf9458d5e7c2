import Ferry
import TestSupport
import Testing

@Suite struct `XML that is refused` {
  /// Documents with the place of their error, and words of its message.
  static let table: [(String, String)] = [
    ("1️⃣", "the document is empty"),
    ("   1️⃣", "no root element"),
    ("<!-- -->\n1️⃣", "no root element"),
    ("1️⃣x<a/>", "begins with <"),
    ("<people>\n  <name>Ada1️⃣</people>", "</people> cannot close <name>, which began on line 2"),
    ("<a>\n<b/>1️⃣", "ends inside <a>"),
    ("<a>\n<b c='1️⃣", "AttValue"),
    ("<a/>1️⃣<b/>", "follow the root"),
    ("<a/>1️⃣x", "follow the root"),
    ("<a b=1️⃣1/>", "AttValue"),
    ("<a b='1' b='2'1️⃣/>", "redefined"),
    ("<a\n b='1️⃣<'/>", "not allowed"),
    ("<a>\n é &1️⃣ </a>", "a name is expected"),
    ("<p:a1️⃣/>", "prefix p"),
    ("<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''1️⃣/>", "redefined"),
    ("<a>1️⃣]]></a>", "]]>"),
    ("<a>1️⃣\u{1}</a>", "invalid Char"),
    ("<a>1️⃣\u{fffe}</a>", "out of allowed range"),
    ("<a><!-- a 1️⃣-- b --></a>", "Double hyphen"),
    ("<a><?xml1️⃣ x?></a>", "XML declaration"),
    ("<!DOCTYPE a>1️⃣[]><a/>", "begins with <"),
    ("<?xml version='1.0' encoding='no-such'1️⃣?><a/>", "encoding"),
    ("<!DOCTYPE a [<!ENTITY e '<b>'>]><a>&e;1️⃣</a>", ""),
    ("<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;1️⃣</a>", "inside each other"),
    ("<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a b='&e;1️⃣'/>", "inside each other"),
  ]

  @Test(arguments: Self.table.indices)
  func `an error has its exact place, whatever the chunks`(_ index: Int) throws {
    let (marked, words) = Self.table[index]
    let text = MarkedText(marked)
    for size in [1, 2, 5, 1 << 16] {
      let failure = #expect(throws: Failure.self) { try streamCalls(text.bytes, chunk: size) }
      guard let failure, case .xml(.notWellFormed(let message)) = failure.reason else {
        Issue.record("\(String(describing: failure))")
        continue
      }
      #expect(message.contains(words) && !message.contains("\n"), "\(message)")
      if let position = text.position { #expect(failure.position == position, "\(failure), chunk \(size)") }
    }
  }

  /// Documents with the place and reason of their refusal.
  static let others: [(String, Failure.Reason)] = [
    ("<a>&nbsp;1️⃣</a>", .xml(.undeclaredEntity("nbsp"))),
    ("<a b='&nbsp;1️⃣'/>", .xml(.undeclaredEntity("nbsp"))),
    ("<!DOCTYPE a SYSTEM 'x.dtd'><a>&nbsp;1️⃣</a>", .xml(.undeclaredEntity("nbsp"))),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a>&e;1️⃣</a>", .xml(.externalEntity("e"))),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'><!ENTITY f '&e;'>]><a>&f;1️⃣</a>", .xml(.externalEntity("e"))),
    ("<!DOCTYPE a [<!ENTITY % p SYSTEM 'p'>%p;1️⃣]><a/>", .xml(.externalEntity("p"))),
  ]

  @Test(arguments: Self.others.indices)
  func `an entity that cannot be expanded is named`(_ index: Int) throws {
    let (marked, reason) = Self.others[index]
    let text = MarkedText(marked)
    for size in [1, 3, 1 << 16] {
      let failure = #expect(throws: Failure.self) { try streamCalls(text.bytes, chunk: size) }
      #expect(failure?.reason == reason)
      #expect(failure?.position == text.position, "chunk \(size)")
    }
    let failure = #expect(throws: Failure.self) { try treeCalls(text.bytes) }
    #expect(failure?.reason == reason)
  }

  @Test func `a delegate's failure comes out with its element's place, and nothing comes after it`() throws {
    final class Refusing: ElementDelegate {
      var calls = 0
      let problem = Failure(.record(.repeatedField("x")))
      override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
        if child.name.local == "no" { throw problem }
        return self
      }
      override func text(_ text: Text) throws(Failure) {
        calls += 1
        if text.equals("bad") { throw problem }
      }
      override func didEnd() throws(Failure) { calls += 1 }
    }
    for marked in ["<a>\n <b x='1'>good</b>\n 1️⃣<b>bad</b><b/></a>", "<a><b>good</b>\n1️⃣<no/><b/></a>"] {
      let text = MarkedText(marked)
      for size in [1, 4, 1 << 16] {
        let delegate = Refusing()
        let stream = try XMLStream(document: delegate)
        let failure = #expect(throws: Failure.self) {
          for byte in 0..<text.bytes.count where byte % size == 0 {
            try stream.read(text.bytes.span.extracting(byte..<min(byte + size, text.bytes.count)))
          }
          try stream.finish()
        }
        #expect(failure?.reason == delegate.problem.reason)
        #expect(failure?.position == text.position)
        let calls = delegate.calls
        let again = #expect(throws: Failure.self) { try stream.finish() }
        #expect(again == failure)
        #expect(delegate.calls == calls)
      }
    }
  }
}
