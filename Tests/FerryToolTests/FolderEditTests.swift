import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Edits of the files in a folder` {
  private func makeFiles() async throws {
    let made = try await ToolRun.shell(
      #"""
      set -e; mkdir -p tree/sub tree/.git
      printf '{"theme": "light",\n "size": 12}' > tree/a.json; printf '# x\ntheme: light\n' > tree/sub/b.yaml
      printf '{"size": 3}' > tree/c.json; printf '{"theme": "light"}' > tree/.git/d.json
      printf '\177ELF' > tree/program; ln -s a.json tree/link.json
      """#)
    #expect(made.status == 0, "\(made.errors)")
  }

  private func contents() async throws -> String {
    try await ToolRun.shell("cat tree/a.json tree/sub/b.yaml tree/c.json tree/.git/d.json").output
  }

  private let original = """
    {"theme": "light",\n "size": 12}# x\ntheme: light\n{"size": 3}{"theme": "light"}
    """

  @Test func `The files with a value at the path change, and the others stay`() async throws {
    try await makeFiles()
    let run = try await ToolRun.ferry("set", "tree", "theme", "dark", "-r")
    #expect(run.status == 0 && run.output.isEmpty, "\(run)")
    #expect(
      run.errors
        == "2 of 3 files changed, 1 has no value at the path, 1 other file skipped, 1 symbolic link skipped\n"
    )
    #expect(
      try await contents()
        == "{\"theme\": \"dark\",\n \"size\": 12}# x\ntheme: dark\n{\"size\": 3}{\"theme\": \"light\"}")
    let again = try await ToolRun.ferry("set", "tree", "theme", "dark", "-r", "--include", "*.json")
    #expect(again.status == 0, "\(again)")
    #expect(
      again.errors.hasPrefix("0 of 2 files changed, 1 has the value already, 1 has no value at the path"),
      "\(again.errors)")
  }

  @Test func `A dry run lists the files that would change`() async throws {
    try await makeFiles()
    let run = try await ToolRun.ferry("set", "tree", "theme", "dark", "-r", "-n", "--exclude", "program")
    #expect(run.status == 0 && run.output == "tree/a.json\ntree/sub/b.yaml\n", "\(run)")
    #expect(run.errors.hasPrefix("2 of 3 files would change, 1 has no value at the path"), "\(run.errors)")
    #expect(try await contents() == original)
  }

  @Test func `A file that cannot be changed is an error, and the others change`() async throws {
    try await makeFiles()
    let run = try await ToolRun.shell(
      "printf '{\"size\": true}' > tree/e.json; ferry set tree size 7 -r; cat tree/a.json tree/c.json tree/e.json"
    )
    #expect(run.errors.hasPrefix("tree/e.json:"), "\(run.errors)")
    #expect(
      run.errors.contains("\n2 of 4 files changed, 1 has no value at the path, 1 failed, "), "\(run.errors)")
    #expect(run.output == "{\"theme\": \"light\",\n \"size\": 7}{\"size\": 7}{\"size\": true}")
    let status = try await ToolRun.ferry("set", "tree", "size", "8", "-r")
    #expect(status.status == 1)
  }

  @Test func `A path that no file has is an error with the keys of the first file`() async throws {
    try await makeFiles()
    let run = try await ToolRun.ferry("set", "tree", "thme", "dark", "-r")
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix("tree/a.json: no key \"thme\" here (did you mean \"theme\"?"), "\(run.errors)")
    #expect(run.errors.contains("\n0 of 3 files changed, 3 have no value at the path, "), "\(run.errors)")
    #expect(try await contents() == original)
  }

  @Test func `Values are inserted, moved, copied, removed and patched`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir t; printf '{"a": 1}' > t/1.json; printf '{"a": 2, "b": 0}' > t/2.json
      printf '[{"op": "test", "path": "/a", "value": 2}, {"op": "add", "path": "/p", "value": 1}]' > t/patch.json
      ferry insert t c x -r --exclude patch.json; ferry move t a d -r; ferry copy t d e -r; ferry remove t b -r
      ferry move t d a -r; ferry patch t t/patch.json -r; cat t/1.json t/2.json t/patch.json
      """#)
    #expect(
      run.output
        == #"{"a": 1, "c": "x", "e": 1}{"a": 2, "c": "x", "e": 2, "p": 1}"#
        + #"[{"op": "test", "path": "/a", "value": 2}, {"op": "add", "path": "/p", "value": 1}]"#, "\(run)")
    #expect(run.errors.hasPrefix("2 of 2 files changed\n2 of 3 files changed, 1 has no "), "\(run.errors)")
    #expect(run.errors.hasSuffix("1 of 2 files changed, 1 does not match the patch\n"), "\(run.errors)")
  }

  @Test func `The numbers of files account for all of them`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir t; printf '{"a": 7}' > t/1.json; printf 'a: 7\n' > t/2.yaml; printf '{"a": 2}' > t/3.json
      printf '{"b": 1}' > t/4.json; printf '{"a": true}' > t/5.json
      printf '[{"op": "replace", "path": "/a", "value": 7}]' > patch.json; printf '{"a": 7}' > merge.json
      ferry set t a 7 -r -n; ferry patch t patch.json -r -n --exclude 5.json
      ferry patch t merge.json --merge-patch -r -n --exclude 5.json; ferry set t a 7 -r
      """#)
    let lines = run.errors.split(separator: "\n")
    let kept = "2 have the value already, 1 has no value at the path, 1 failed"
    #expect(lines.contains("1 of 5 files would change, \(kept)"), "\(run.errors)")
    #expect(
      lines.contains("1 of 4 files would change, 2 need no change, 1 does not match the patch"),
      "\(run.errors)")
    #expect(lines.contains("2 of 4 files would change, 2 need no change"), "\(run.errors)")
    #expect(lines.last == "1 of 5 files changed, \(kept)", "\(run.errors)")
  }

  @Test func `A file that has the value and no place for it at the new path is an error`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir t; printf '{"a": 1, "c": {}}' > t/1.json; printf 'a: 1\n' > t/2.yaml; printf '{"b": 1}' > t/3.json
      ferry copy t a c.q -r; echo $?; ferry move t a c.r -r; echo $?; cat t/1.json t/2.yaml
      """#)
    #expect(run.output == "1\n1\n{\"c\": {\"q\": 1, \"r\": 1}}a: 1\n", "\(run)")
    let error =
      #"t/2.yaml: cannot put the value at the new path: no key "c" here; the keys are "a""#
      + " (use ferry insert to add it first)\n1 of 3 files changed, 1 has no value at the path, 1 failed\n"
    #expect(run.errors == error + error, "\(run.errors)")
  }

  @Test func `A patch does not match a file that lacks a place for one of its values`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir t; printf '{"a": 1, "c": {}}' > t/1.json; printf 'a: 1\n' > t/2.yaml
      printf '[{"op": "copy", "from": "/a", "path": "/c/q"}]' > copy.json
      printf '[{"op": "move", "from": "/a", "path": "/c/r"}]' > move.json
      printf '[{"op": "add", "path": "/c/s", "value": 2}]' > add.json
      for i in copy move add; do ferry patch t $i.json -r; echo $?; done; cat t/1.json t/2.yaml
      """#)
    #expect(run.output == "0\n0\n0\n{\"c\": {\"q\": 1, \"r\": 1, \"s\": 2}}a: 1\n", "\(run)")
    let line = "1 of 2 files changed, 1 does not match the patch\n"
    #expect(run.errors == line + line + line, "\(run.errors)")
  }

  @Test func `A folder without files that can be changed is an error with the reason`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir t u; printf '1' > a.json; printf '2' > b.json; printf '{"a": 1}' > merge.json; printf '[1]' > u/l.json
      python3 -m zipfile -c t/two.zip a.json b.json; ferry set t '["a.json"]' 5 -r; echo $?
      ferry patch u merge.json --merge-patch -r; echo $?; ferry set t '["a.json"]' 5 -r --include '*.zip'; echo $?
      """#)
    #expect(run.output == "1\n1\n0\n", "\(run)")
    #expect(
      run.errors == """
        t/two.zip: -r changes an archive of several files only if --include names it (--include '*.zip')
        0 of 0 files changed, 1 other file skipped
        u/l.json: no dictionary here: this is a value of the type array, which a merge patch with -r does not replace
        0 of 1 file changed, 1 does not match the patch
        1 of 1 file changed

        """, "\(run.errors)")
  }

  @Test func `A table without rows has no value at the path`() async throws {
    let run = try await ToolRun.shell(
      "mkdir t; printf 'a,b\n' > t/1.csv; printf 'a,b\n1,2\n' > t/2.csv; ferry set t '[*].a' 5 -r; echo $?")
    #expect(run.output == "0\n", "\(run)")
    #expect(run.errors == "1 of 2 files changed, 1 has no value at the path\n", "\(run.errors)")
  }

  @Test func `Lists, archives of files and databases are left out of changes that add keys`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir t; printf '[1]' > t/list.json; printf '{"a": 1}' > t/dictionary.json; printf '"x"' > t/text.json
      cd t; python3 -m zipfile -c two.zip list.json text.json; cd ..
      python3 -c "import sqlite3; c = sqlite3.connect('t/q.db'); c.execute('create table a (b)'); c.commit()"
      cp -R t copy; printf '{"theme": "dark"}' > merge.json
      ferry patch t merge.json -r --merge-patch; ferry insert t key v -r; ferry set t other v -r --insert
      cat t/dictionary.json; for name in list.json text.json two.zip q.db; do cmp t/$name copy/$name; done
      """#)
    #expect(run.output == #"{"a": 1, "theme": "dark", "key": "v", "other": "v"}"#, "\(run)")
    let numbers = ["do not match the patch"] + Array(repeating: "have no value at the path", count: 2)
    let lines = numbers.map { "1 of 3 files changed, 2 \($0), 2 other files skipped" }
    let found = run.errors.split(separator: "\n").map(String.init).filter { $0.contains("changed, ") }
    #expect(found == lines, "\(run.errors)")
  }

  @Test func `The options for CSV are for the tables in a folder`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir t; printf '{"a": [1]}' > t/1.json; printf 'a;b\n1;2\n' > t/2.csv
      ferry set t '[*].b' 5 -r --delimiter ';'; echo $?; cat t/2.csv
      """#)
    #expect(run.output == "0\na;b\n1;5\n", "\(run)")
    #expect(run.errors == "1 of 2 files changed, 1 has no value at the path\n", "\(run.errors)")
  }

  @Test func `The standard input and files without values are not changed with a folder`() async throws {
    let run = try await ToolRun.ferry("set", "-", "a", "1", "-r", input: #"{"a":0}"#)
    #expect(run.status == 64 && run.errors.contains("-r needs the name of a folder"), "\(run)")
    let text = try await ToolRun.shell("mkdir t; echo hi > t/t.txt; ferry set t a 1 -r --include t.txt")
    #expect(text.status == 1 && text.errors.contains("t/t.txt: "), "\(text)")
  }

  @Test func `A folder without files to change is an error`() async throws {
    try await makeFiles()
    let run = try await ToolRun.ferry("set", "tree", "a", "1", "-r", "--include", "*.csv")
    #expect(run.status == 1 && run.errors.contains("no files to change"), "\(run)")
    #expect(try await contents() == original)
  }

  @Test func `Options that need a folder or a single file are refused`() async throws {
    try await makeFiles()
    let output = try await ToolRun.ferry("set", "tree", "a", "1", "-r", "-o", "x.json")
    #expect(output.status == 64 && output.errors.contains("-o cannot be used with -r"), "\(output)")
    let pattern = try await ToolRun.ferry("set", "tree/a.json", "size", "1", "--include", "x")
    #expect(pattern.status == 64 && pattern.errors.contains("--include and --exclude need -r"), "\(pattern)")
    let folder = try await ToolRun.ferry("set", "tree", "a", "1")
    #expect(
      folder.status == 1 && folder.errors.hasSuffix("; -r changes the files in a folder\n"), "\(folder)")
    let get = try await ToolRun.ferry("get", "tree", "a")
    #expect(
      get.status == 1 && get.errors.hasSuffix("; --recursive reads the files in a folder\n"),
      "\(get)")
  }

  @Test func `The second of several files is not taken for a path without advice`() async throws {
    try await makeFiles()
    let run = try await ToolRun.shell(
      "cd tree; ferry set a.json c.json size 1; ferry remove a.json c.json size; ferry get a.json c.json size"
    )
    let changes =
      "\"c.json\" is a file: %@ changes one file; -r with --include '*.json' changes those in a folder"
    #expect(run.errors.contains(changes.replacing("%@", with: "set")), "\(run.errors)")
    #expect(run.errors.contains(changes.replacing("%@", with: "remove")), "\(run.errors)")
    #expect(
      run.errors.contains("get reads one file; --recursive with --include '*.json' reads those in a folder"),
      "\(run.errors)")
    #expect(try await contents() == original)
  }
}
