import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Whole values of files in data` {
  @Test(arguments: [
    "ferry set o.plist blob '[{\"first\": \"Zoe\"}]' --type json",
    "ferry set o.plist blob --from-file new.json --type json",
    "echo '[{\"op\": \"replace\", \"path\": \"/blob\", \"value\": [{\"first\": \"Zoe\"}]}]' | ferry patch o.plist -",
  ])
  func `A list of JSON is the new value of an archive in data, and keeps the classes`(_ command: String)
    async throws
  {
    let run = try await ToolRun.shell(
      """
      printf '[{"first": "Ada"}]' > old.json; printf '[{"first": "Zoe"}]' > new.json
      printf '{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","first":"Ada"}]}}' \\
        | ferry convert - --to archive -o in.archive
      printf '{"blob": ""}' | ferry convert - --to plist-binary -o o.plist
      ferry set o.plist blob --from-file in.archive --type data
      \(command); echo $?; ferry get o.plist blob --bytes > out.archive
      ferry get out.archive '[0].first'; ferry get out.archive '[0]' --type; ferry get o.plist 'blob[0].first'
      """)
    #expect(run.output == "0\nZoe\nPerson\nZoe\n", "\(run)")
  }

  @Test func `A property list in data gets a dictionary, and loses its data for another type`() async throws {
    let run = try await ToolRun.shell(
      """
      printf '{"a": 1}' | ferry convert - --to plist-binary -o in.plist
      printf '{"blob": ""}' | ferry convert - --to plist-xml -o o.plist
      ferry set o.plist blob --from-file in.plist --type data; ferry set o.plist blob '{"b": 2}' --type json
      ferry get o.plist blob --bytes | ferry convert - --to json
      ferry set o.plist blob 5 --type json; ferry get o.plist blob --type
      """)
    #expect(run.output == "{\"b\":2}\ninteger\n", "\(run)")
  }

  @Test func `Data and dates in the notation of JSON replace data that holds a file`() async throws {
    let run = try await ToolRun.shell(
      #"""
      printf '{"a": 1}' | ferry convert - --to plist-binary -o in.plist
      printf '{"p": "", "q": "", "r": ""}' | ferry convert - --to plist-xml -o o.plist
      for key in p q r; do ferry set o.plist $key --from-file in.plist --type data; done
      ferry set o.plist p '{"$data": "AAEC"}' --type json; ferry set o.plist q '{"$date": "2024-05-06T07:08:09Z"}' --type json
      echo '{"r": {"$data": "AQI="}}' > merge.json; ferry patch o.plist merge.json --merge-patch
      ferry get o.plist p q r
      """#)
    #expect(run.output == "AAEC\n2024-05-06T07:08:09Z\nAQI=\n", "\(run)")
  }
}
