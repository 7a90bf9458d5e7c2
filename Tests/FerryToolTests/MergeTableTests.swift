import TestSupport
import Testing

/// Tables in which a merge changes rows. A cell with quotation marks is a text for `--infer`, and without them a number.
@Suite(.temporaryDirectory) struct `Quotation marks of merged tables` {
  @Test(arguments: [
    // The delimiter and the order of columns and records are those of ours.
    ("id,n\n1,a\n2,b\n", "id;n\n1;a\n2;b\n", "id,n\n1,a\n2,c\n", "id;n\n1;a\n2;c\n"),
    ("id,n\n1,a\n2,b\n", "n,id\na,1\nb,2\n", "id,n\n1,a\n2,b\n3,c\n", "n,id\na,1\nb,2\nc,3\n"),
    ("id,n\n1,a\n2,b\n", "id,n\n2,b\n1,a\n", "id,n\n1,a\n2,c\n", "id,n\n2,c\n1,a\n"),
    ("", "id,n\n1,a\n", "id,n\n2,b\n", "id,n\n1,a\n2,b\n"),
    // Each column has its own quotation marks, also those that a cell does not need.
    (
      "id,n\n1,a\n2,b\n", "id;\"n\"\r\n\"1\";\"a\"\r\n\"2\";\"b\"\r\n", "id,n\n1,a\n2,c\n",
      "id;\"n\"\r\n\"1\";\"a\"\r\n\"2\";\"c\"\r\n"
    ),
    // A cell that needs quotation marks gets them.
    ("id,n\n1,a\n2,b\n", "id;n\n1;a\n2;b\n", "id,n\n1,a\n2,c;d\n", "id;n\n1;a\n2;\"c;d\"\n"),
    // Theirs has other quotation marks.
    ("id,n\n1,a\n2,b\n", "id;n\n1;a\n2;b\n", "\"id\",\"n\"\n\"1\",\"a\"\n\"2\",\"c\"\n", "id;n\n1;a\n2;c\n"),
  ])
  func `The rows of a merged table have quotation marks where the other cells of their column have them`(
    _ base: String, _ ours: String, _ theirs: String, _ merged: String
  ) async throws {
    for (name, text) in [("b.csv", base), ("o.csv", ours), ("t.csv", theirs)] {
      try directory.write(name, text)
    }
    let run = try await ToolRun.ferry("merge", "b.csv", "o.csv", "t.csv", "--key", "id")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == merged)
    expectQuiet(
      try await .shell(
        "ferry merge b.csv o.csv t.csv --key id -o m.csv -q; ferry convert m.csv --infer -o m.json"))
    let isText = ours.contains("\"1\"")
    #expect(try directory.text("m.json").contains(isText ? #""id":"1""# : #""id":1"#))
  }
}
