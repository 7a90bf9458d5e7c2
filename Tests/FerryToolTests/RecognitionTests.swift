import Foundation
import TestSupport
import Testing

/// Property lists with a key of an archive's that are none, as JSON.
private let lookalikes = [
  #"{"$top":1}"#, #"{"$objects":[1],"a":2}"#, #"{"$archiver":"x","$objects":[],"$top":3}"#,
  #"{"$archiver":1,"$objects":[],"$top":{}}"#, #"{"$archiver":"x","$top":{}}"#, #"[1,{"$objects":2}]"#,
  #"{"a":{"$archiver":"x","$objects":[],"$top":{}}}"#, #"{"$version":100000}"#,
]

@Suite(.temporaryDirectory) struct `Property lists with a key of an archive` {
  @Test(arguments: lookalikes)
  func `A property list with a key of an archive is a property list to every command`(_ json: String)
    async throws
  {
    try directory.write("a.json", json)
    for format in ["plist-xml", "plist-binary"] {
      let run = try await ToolRun.shell(
        """
        ferry convert a.json --strict --to \(format) -o \(format).plist || exit 2
        ferry convert \(format).plist --to json || exit 3
        ferry convert --to json < \(format).plist || exit 4
        cat \(format).plist | ferry convert --to json || exit 5
        ferry show \(format).plist > \(format).shown || exit 6
        ferry inspect \(format).plist | sed -n 2p || exit 7
        """)
      #expect(run.status == 0, "\(run.errors)")
      let name = format == "plist-xml" ? "XML property list" : "binary property list"
      let lines = run.output.split(separator: "\n")
      #expect(lines.prefix(3) == [json[...], json[...], json[...]])
      #expect(lines.last?.contains("archive") == false && lines.last?.contains(name) == true, "\(lines)")
    }
    #expect(try directory.text("plist-xml.shown") == directory.text("plist-binary.shown"))
  }

  @Test func `A property list with a key of an archive can be changed and read`() async throws {
    let run = try await ToolRun.shell(
      """
      printf '{"$top":"a"}' | ferry convert --to plist-xml -o a.plist
      ferry set a.plist '$top' b && ferry get a.plist '$top' && ferry rename a.plist --class A=B -n
      """)
    #expect(run.output == "b\n")
    #expect(run.status == 0, "\(run.errors)")
  }
}
