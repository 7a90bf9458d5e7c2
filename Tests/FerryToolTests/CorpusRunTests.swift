import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `The largest real files` {
  /// Each in a process of its own that may not have more memory.
  @Test(arguments: ["json", "plist-xml"])
  func `The largest real files are converted or refused within 512 MiB`(format: String) async throws {
    let corpus = try Corpus.path()
    let run = try await ToolRun.shell(
      """
      ulimit -v 524288
      for file in $(find \(corpus)/keyed \(corpus)/plist \(corpus)/json -type f -size +200k | grep -v " "); do
        ferry convert "$file" --to \(format) -o out.\(format) --force 2>errors.\(format)
        status=$?
        [ $status -le 1 ] || echo "$file: $status"
        echo
      done
      """)
    #expect(run.output.filter { $0 != "\n" } == "")
    #expect(run.output.count > 10, "too few files: \(run.output.count)")
  }
}
