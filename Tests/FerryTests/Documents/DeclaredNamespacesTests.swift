import Testing

@testable import Ferry

@Suite struct `Declared namespaces` {
  @Test func `Only attributes that declare namespaces are replaced by those of the document`() throws {
    let names = try #require(SchemaNames([SchemaNamespace(prefix: "p", uri: "urn:x")]))
    let document = try #require(DeclaredNamespaces(of: Array(#"<b:list xmlns:b="urn:x"/>"#.utf8)))
    let written = #"<p:list xmlns:p="urn:x" xmlnsold="1"><p:a/></p:list>"#
    let renamed = try #require(document.renamed(Array(written.utf8), names))
    #expect(
      String(decoding: renamed, as: UTF8.self) == #"<b:list xmlns:b="urn:x" xmlnsold="1"><b:a/></b:list>"#)
  }
}
