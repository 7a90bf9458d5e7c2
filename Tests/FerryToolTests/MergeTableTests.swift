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

  @Test(arguments: [
    ("csv", "id,n\n1,a\n2,b\n", "id,n\n1,a\n", "id,n\n2,b\n", "id,n\n"),
    ("csv", "id;n\r\n1;a\r\n2;b\r\n", "id;n\r\n1;a\r\n", "id;n\r\n2;b\r\n", "id;n\r\n"),
    ("tsv", "id\tn\n1\ta\n2\tb\n", "id\tn\n1\ta\n", "id\tn\n2\tb\n", "id\tn\n"),
    ("csv", "id,a\n", "id,a,b\n", "id,a,c\n", "id,a,b,c\n"),
  ])
  func `A merged table keeps its header if the two sides together remove all rows`(
    _ fileExtension: String, _ base: String, _ ours: String, _ theirs: String, _ merged: String
  ) async throws {
    let run = try await merge(fileExtension, base, ours, theirs)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(run.output == merged)
  }

  @Test(arguments: [
    ("id,a\n", "id,a,b\n", "id,a\nv,x\n"),
    ("id,a\n", "id,a\nv,x\n", "id,a,b\n"),
    ("id,a\nu,w\n", "id,a,b\n", "id,a\nu,w\nv,x\n"),
  ])
  func `A column that one side adds to a table without rows stays if the other side adds a row`(
    _ base: String, _ ours: String, _ theirs: String
  ) async throws {
    let run = try await merge("csv", base, ours, theirs)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    try directory.write("m.csv", run.output)
    expectQuiet(try await .ferry("convert", "m.csv", "-o", "m.json"))
    #expect(try directory.text("m.json") == #"[{"id":"v","a":"x","b":""}]"# + "\n")
  }

  @Test(arguments: [
    ("id,a\nu,w\n", "id;a\r\n", "id,a\n\"u\",w\n\"v\",x\n", "id;a\r\nv;x\r\n"),
    ("id,a\n", "id;a\r\n", "id,a,b\nv,x,y\n", "id;a;b\r\nv;x;y\r\n"),
  ])
  func `A table without rows gets the rows of the other side with its own delimiter and line ends`(
    _ base: String, _ ours: String, _ theirs: String, _ merged: String
  ) async throws {
    let run = try await merge("csv", base, ours, theirs)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == merged)
  }

  @Test(arguments: [
    ("csv", "a,b\n1,2\n3,4\n", "a\n1\n3\n", "a,b\n1,2\n3,4\n5,\n", "a\n1\n3\n5\n"),
    ("tsv", "a\tb\n1\t2\n3\t4\n", "a\n1\n3\n", "a\tb\n1\t2\n3\t4\n5\t\n", "a\n1\n3\n5\n"),
    // A table without rows has removed the column, too.
    ("csv", "a,b\n", "a\n", "a,b\nv,\n", "a\nv\n"),
  ])
  func `A column that one side removed does not come back if the other side adds a row with an empty cell`(
    _ fileExtension: String, _ base: String, _ ours: String, _ theirs: String, _ merged: String
  ) async throws {
    let run = try await merge(fileExtension, base, ours, theirs)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == merged)
  }

  @Test(arguments: [
    (
      "a,b\n1,2\n3,4\n", "a\n1\n3\n", "a,b\n1,2\n3,4\n5,6\n",
      #"[2].b: ours nothing, theirs "6", base nothing (ours has removed or renamed the column "b")"#
    ),
    (
      "a,b\n1,2\n3,4\n", "a,b\n1,2\n3,4\n5,6\n", "a\n1\n3\n",
      #"[2].b: ours "6", theirs nothing, base nothing (theirs has removed or renamed the column "b")"#
    ),
    (
      "id,name\n1,Ada\n2,Bob\n", "id,full\n1,Ada\n2,Bob\n", "id,name\n1,Ada\n2,Bob\n3,Cy\n",
      #".name: ours nothing, theirs "Cy", base nothing (ours has removed or renamed the column "name")"#
    ),
    (
      "a,b\n", "a\n", "a,b\n5,6\n",
      #"[0].b: ours nothing, theirs "6", base nothing (ours has removed or renamed the column "b")"#
    ),
  ])
  func `A new cell in a column that the other side removed or renamed is a conflict`(
    _ base: String, _ ours: String, _ theirs: String, _ conflict: String
  ) async throws {
    let run = try await merge("csv", base, ours, theirs)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(conflict), "\(run.errors)")
    #expect(run.errors.contains("1 conflict"))
  }

  @Test func `A conflict in a removed column is decided for the side that removed it, or keeps the column`()
    async throws
  {
    for (name, text) in [
      ("b.csv", "a,b\n1,2\n3,4\n"), ("o.csv", "a\n1\n3\n"), ("t.csv", "a,b\n1,2\n3,4\n5,6\n"),
    ] {
      try directory.write(name, text)
    }
    let ours = try await ToolRun.ferry("merge", "b.csv", "o.csv", "t.csv", "--favor", "ours")
    #expect(ours.status == 0, "\(ours.errors)")
    #expect(ours.output == "a\n1\n3\n5\n")
    let theirs = try await ToolRun.ferry("merge", "b.csv", "o.csv", "t.csv", "--favor", "theirs")
    #expect(theirs.status == 0, "\(theirs.errors)")
    #expect(theirs.output == "a,b\n1,\n3,\n5,6\n")
  }

  @Test func `A list of records in JSON keeps the keys of new records`() async throws {
    let run = try await merge(
      "json", #"[{"a":1,"b":2},{"a":3,"b":4}]"#, #"[{"a":1},{"a":3}]"#,
      #"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]"#)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == #"[{"a":1},{"a":3},{"a":5,"b":6}]"#)
  }

  private func merge(
    _ fileExtension: String, _ base: String, _ ours: String, _ theirs: String
  ) async throws -> ToolRun {
    let names = ["b", "o", "t"].map { "\($0).\(fileExtension)" }
    for (name, text) in zip(names, [base, ours, theirs]) { try directory.write(name, text) }
    return try await ToolRun.ferry("merge", names[0], names[1], names[2])
  }
}
