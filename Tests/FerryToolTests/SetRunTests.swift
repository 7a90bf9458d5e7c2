import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Sets in binary property lists` {
  @Test
  func `A set of a binary property list comes back from the typed form, which says what few programs read`()
    async throws
  {
    try directory.write("a.json", #"{"$ferry":1,"$value":{"s":{"$set":[1]}}}"#)
    let run = try await ToolRun.ferry(
      "convert", "a.json", "--to", "plist-binary", "-o", "a.plist", "--strict")
    #expect(run.status == 0)
    #expect(
      run.errors
        == "a.json: sets stay sets, as the typed form has them; few programs read sets in property lists\n")
    let back = try await ToolRun.shell(
      """
      ferry convert a.plist --to plist-binary -o - | cmp - a.plist || exit 2
      ferry convert a.plist --form typed --to json | ferry convert --to plist-binary -o - -q | cmp - a.plist || exit 3
      ferry convert a.plist --to json
      """)
    #expect(back.status == 0)
    #expect(back.output == "{\"s\":[1]}\n")
    #expect(back.errors == "a.plist: not exact: sets become arrays (1)\n")
  }

  @Test func `A set of an archive is an array in a binary property list, which is reported`() async throws {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"s":{"$class":"NSSet","$items":[1]}}}}"#)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to archive -o a.archive && ferry convert a.archive --to json -q
      ferry set a.archive s '{"$set":[2]}' --type json && ferry get a.archive s
      """)
    #expect(run.output == "{\"s\":[1]}\n[2]\n")
  }
}
