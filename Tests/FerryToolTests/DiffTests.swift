import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry diff` {
  private func makePeople() async throws {
    let made = try await ToolRun.shell(
      """
      set -e
      printf '[{"firstName":"Ada","lastName":"L"},{"firstName":"Bob","lastName":"M"}]' > a.json
      printf '<people><person><firstName>Ada</firstName><lastName>L</lastName></person><person><firstName>Bob</firstName><lastName>M</lastName></person></people>' > p.xml
      ferry convert p.xml -o a.pplgrp; cp a.pplgrp b.pplgrp; ferry set b.pplgrp '[1].first' Eve
      """)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func `Lines show what differs, and the exit status says whether anything does`() async throws {
    try await makePeople()
    let run = try await ToolRun.ferry("diff", "a.pplgrp", "b.pplgrp")
    #expect(run.status == 1 && run.errors == "")
    #expect(run.output == "--- a.pplgrp\n+++ b.pplgrp\n~ [1].first: \"Bob\" → \"Eve\"\n", "\(run.output)")
    let same = try await ToolRun.ferry("diff", "a.pplgrp", "a.pplgrp")
    #expect(same.status == 0 && same.output == "" && same.errors == "")
    let quiet = try await ToolRun.ferry("diff", "-q", "a.pplgrp", "b.pplgrp")
    #expect(quiet.status == 1 && quiet.output == "")
    let wide = try await ToolRun.ferry("diff", "-y", "a.pplgrp", "b.pplgrp")
    #expect(wide.output.contains("[1].first ~ \"Bob\"") && wide.output.contains("\"Eve\""), "\(wide.output)")
  }

  @Test(arguments: ["json", "jsonl", "plist-xml", "plist-binary", "archive", "archive-xml", "xml", "csv"])
  func `A file does not differ from its conversion`(_ format: String) async throws {
    try await makePeople()
    // A table has no signature.
    let twin = format == "csv" ? "twin.csv" : "twin"
    for source in ["a.pplgrp", "p.xml", "a.json"] {
      let made = try await ToolRun.ferry("convert", source, "--to", format, "-o", twin, "--force", "-q")
      #expect(made.status == 0, "\(made.errors)")
      for pair in [[source, twin], [twin, source]] {
        let run = try await ToolRun.ferry(["diff"] + pair, input: [])
        #expect(run.status == 0, "\(source) \(format): \(run.output)\(run.errors)")
      }
    }
  }

  @Test func `A line shows an object that only one of the files has at two paths`() async throws {
    for (name, root) in [
      ("one", ##"{"$class":"Doc","a":{"$class":"Node","$id":3,"n":"x"},"b":{"$ref":3}}"##),
      ("two", ##"{"$class":"Doc","a":{"$class":"Node","n":"x"},"b":{"$class":"Node","n":"x"}}"##),
      ("same", ##"{"$class":"Doc","b":{"$class":"Node","$id":9,"n":"x"},"a":{"$ref":9}}"##),
    ] {
      let text = ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\##(root)}}"##
      let made = try await ToolRun.ferry(
        "convert", "--from", "json", "--to", "archive", "-o", "\(name).archive", input: text)
      #expect(made.status == 0, "\(made.errors)")
    }
    let run = try await ToolRun.ferry("diff", "one.archive", "two.archive")
    #expect(run.status == 1)
    #expect(
      run.output == "--- one.archive\n+++ two.archive\n~ b: the object at a → an object of its own\n",
      "\(run.output)")
    let back = try await ToolRun.ferry("diff", "-y", "two.archive", "one.archive")
    #expect(back.output.contains("an object of its own") && back.output.contains("the object at a"))
    #expect(try await ToolRun.ferry("diff", "one.archive", "same.archive").status == 0)
    let patched = try await ToolRun.shell(
      """
      ferry diff two.archive one.archive --json > p.json; ferry patch two.archive p.json
      ferry diff two.archive one.archive && ferry show two.archive --width 200
      """)
    #expect(patched.status == 0 && patched.output.contains("b: → #"), "\(patched.output)\(patched.errors)")
  }

  @Test func `A line shows the part of long values that differs`() async throws {
    let made = try await ToolRun.shell(
      """
      x=$(printf 'x%.0s' $(seq 1000))
      printf '{"s":"%sé1","l":["%sa"]}' $x $x > a.json; printf '{"s":"%sé2","l":["%sb"]}' $x $x > b.json
      for i in 00 01; do
        printf '{"$ferry":1,"$value":{"d":{"$data":"AAAAAAAAAAAAAAAAAAAAAAAAA%s="}}}' $([ $i = 00 ] && echo AA || echo AE) \
          | ferry convert - --to plist-binary -o $i.plist
      done
      ferry diff a.json b.json; ferry diff -y a.json b.json; ferry diff 00.plist 01.plist
      """)
    #expect(
      made.output.contains(#"~ s: from offset 1000: "é1", 1003 bytes → from offset 1000: "é2", 1003 bytes"#),
      "\(made)")
    #expect(
      made.output.contains(
        #"~ l[0]: from offset 998: "xxa", 1001 bytes → from offset 998: "xxb", 1001 bytes"#), "\(made.output)"
    )
    #expect(
      made.output.contains(
        "~ d: <from offset 17: 00 00 00, 20 bytes> → <from offset 17: 00 00 01, 20 bytes>"),
      "\(made.output)")
    #expect(
      made.output.split(separator: "\n").contains {
        $0.hasPrefix("s    ~ ") && $0.contains("é1") && $0.contains("é2")
      },
      "\(made.output)")
  }

  @Test func `Long texts, data and numbers inside an added or removed object are cut as outside`()
    async throws
  {
    let (text, digits) = (
      String(repeating: "lorem ", count: 2000), String(repeating: "1234567890", count: 2000)
    )
    let data = String(repeating: "AAEC", count: 2000)
    try directory.write(
      "new.json",
      ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":1,"t":"\##(text)","d":{"$data":"\##(data)"},"##
        + ##""o":{"$class":"Note","t":"\##(text)","d":{"$data":"\##(data)"},"l":["\##(text)"]}}}}"##)
    try directory.write(
      "old.json", ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":1}}}"##)
    try directory.write("n.json", #"{"n":\#(digits)5,"o":{"n":[\#(digits)]}}"#)
    try directory.write("m.json", #"{"n":\#(digits)6}"#)
    let made = try await ToolRun.shell(
      """
      for i in old new; do ferry convert $i.json --to archive -o $i.archive; done
      for i in "old.archive new.archive" "new.archive old.archive" "m.json n.json" "n.json m.json"; do
        ferry diff $i; COLUMNS=100 ferry diff -y $i
      done
      """)
    let lines = made.output.split(separator: "\n")
    #expect(lines.count > 20 && lines.allSatisfy { $0.utf8.count < 1500 }, "\(made.errors)")
    let cut = "\"… 12000 bytes"
    #expect(
      lines.contains { $0.hasPrefix("+ o: Note { ") && $0.contains(cut) && $0.contains("<6000 bytes: 00 ") })
    #expect(lines.contains { $0.hasPrefix("+ t: \"lorem ") && $0.hasSuffix(cut) })
    #expect(lines.contains { $0.hasPrefix("+ o: { n: [1234") && $0.contains("… 20000 characters") })
    #expect(
      lines.contains(
        "~ n: from offset 19998: 906, 20001 characters → from offset 19998: 905, 20001 characters"))
    for (old, new) in [("old.archive", "new.archive"), ("m.json", "n.json")] {
      let page = try await ToolRun.ferry("diff", old, new, "--html")
      #expect(page.status == 1 && !page.output.contains(text) && !page.output.contains(digits))
    }
    let shown = try await ToolRun.ferry("show", "n.json")
    #expect(shown.output.contains("… 20001 characters") && shown.output.utf8.count < 3000)
    let whole = try await ToolRun.shell("ferry diff m.json n.json --json; ferry show n.json --textconv")
    #expect(whole.output.components(separatedBy: digits).count > 3)
  }

  @Test func `The order of keys and elements counts with --order`() async throws {
    try directory.write("a.json", #"{"a":1,"b":2}"#)
    try directory.write("b.json", #"{"b":2,"a":1}"#)
    try directory.write("a.xml", "<r><a>1</a><b>2</b></r>")
    try directory.write("b.xml", "<r><b>2</b><a>1</a></r>")
    for name in ["json", "xml"] {
      #expect(try await ToolRun.ferry("diff", "a.\(name)", "b.\(name)").status == 0)
      let run = try await ToolRun.ferry("diff", "--order", "a.\(name)", "b.\(name)")
      #expect(run.status == 1 && run.output != "", "\(run.errors)")
    }
  }

  @Test func `An element that is a list in one of two XML documents is a list in both`() async throws {
    try directory.write("a.xml", "<r><a>1</a><b>x</b></r>")
    try directory.write("b.xml", "<r><a>1</a><a>2</a><b id='7'>x</b></r>")
    let run = try await ToolRun.ferry("diff", "a.xml", "b.xml")
    #expect(run.output.contains("+ r.a[1]: \"2\""), "\(run.output)")
    #expect(!run.output.contains("~ r.a"), "\(run.output)")
    // The paths of a patch are those of the first document alone.
    try directory.write("patch.json", try await ToolRun.ferry("diff", "--json", "a.xml", "b.xml").output)
    let patched = try await ToolRun.ferry("patch", "a.xml", "patch.json")
    #expect(patched.status == 0, "\(patched.errors)")
    #expect(try await ToolRun.ferry("diff", "a.xml", "b.xml").status == 0)
  }

  @Test func `An option for the format of one file is not a mistake for the other one`() async throws {
    try directory.write("c.csv", "a;b\n1;M\n")
    try directory.write("c.json", #"[{"a":1,"b":"M"}]"#)
    expectQuiet(
      try await ToolRun.shell(
        "ferry convert c.json -o c.plist; ferry convert c.json --to plist-binary -o b.plist"))
    for options in [
      "--infer", "--infer --delimiter semicolon", "--infer --ragged", "--infer --encoding latin1",
    ] {
      for files in ["c.csv c.json", "c.json c.csv", "c.csv c.plist", "b.plist c.csv"] {
        let run = try await ToolRun.shell("ferry diff \(files) \(options)")
        #expect(
          run.status == 0 && run.output == "" && run.errors == "",
          "\(options) \(files): \(run.output)\(run.errors)")
      }
    }
    try directory.write("d.json", #"[{"a":2,"b":"M"}]"#)
    let changed = try await ToolRun.shell("ferry diff c.csv d.json --infer")
    #expect(changed.output == "--- c.csv\n+++ d.json\n~ [0].a: 1 → 2\n")
    let patch = try await ToolRun.shell(
      "ferry diff d.json c.csv --infer --json > p.json; ferry patch d.json p.json; cat d.json")
    #expect(patch.output == #"[{"a":1,"b":"M"}]"# && patch.errors == "", "\(patch.output)\(patch.errors)")
    let refused = try await ToolRun.shell("ferry diff c.json d.json --infer")
    #expect(refused.status == 2 && refused.errors.contains("the options for CSV cannot be used"))
    // A column has one type in both tables.
    try directory.write("1.csv", "a,b,c\n1,true,\n")
    try directory.write("3.csv", "a,b,c\n1,true,\nx,,\n")
    let tables = try await ToolRun.ferry("diff", "1.csv", "3.csv", "--infer")
    #expect(tables.output.contains("+ [1]: ") && !tables.output.contains("~"), "\(tables.output)")
    try directory.write("4.csv", "a,b\n1,x\n1,2\n")
    try directory.write("5.csv", "a,b\n1,2\ny,2\n")
    try directory.write("5.tsv", "a\tb\n1\t2\ny\t2\n")
    let commas = try await ToolRun.ferry("diff", "4.csv", "5.csv", "--infer")
    let tabs = try await ToolRun.ferry("diff", "4.csv", "5.tsv", "--infer")
    #expect(commas.output.contains(#"+ [1]: { a: "y", b: "2" }"#), "\(commas.output)")
    #expect(tabs.output == commas.output.replacing("5.csv", with: "5.tsv"), "\(tabs.output)")
    // A missing cell becomes an empty one in a conversion, which is not a difference.
    try directory.write("6.csv", "a,b\n1\n")
    let converted = try await ToolRun.shell(
      "ferry convert 6.csv --ragged -o 6.tsv -q; ferry diff 6.csv 6.tsv --ragged")
    #expect(converted.status == 0 && converted.output == "", "\(converted.output)\(converted.errors)")
    let binary = try await ToolRun.shell("ferry diff b.plist b.plist --encoding latin1")
    #expect(binary.status == 2 && binary.errors.contains("an encoding cannot be given for plist-binary"))
  }

  @Test func `A key that no record has is reported`() async throws {
    try directory.write("a.json", #"[{"id":1,"n":"x","t":["a","b"]}]"#)
    try directory.write("b.json", #"[{"id":1,"n":"y","t":["b","c"]}]"#)
    let run = try await ToolRun.ferry("diff", "a.json", "b.json", "--key", "idd")
    #expect(run.status == 1)
    #expect(
      run.errors
        == "--key \"idd\" has no effect: in the lists that differ, records lack the field or have equal values\n"
    )
    #expect(try await ToolRun.ferry("diff", "a.json", "b.json", "--key", "id").errors == "")
    #expect(try await ToolRun.ferry("diff", "a.json", "b.json", "--key", "idd", "-q").errors == "")
    #expect(try await ToolRun.ferry("diff", "a.json", "a.json", "--key", "idd").errors == "")
    // A file whose lists do not differ says nothing about the field.
    let folders = try await ToolRun.shell(
      """
      mkdir a b; mv a.json a/l.json; mv b.json b/l.json; echo '{"x":1}' > a/x.json; echo '{"x":2}' > b/x.json
      ferry diff a b --key idd >/dev/null; ferry diff a b --key id >/dev/null
      """)
    #expect(folders.errors == run.errors)
  }

  @Test func `JSON is a patch`() async throws {
    try directory.write("a.json", #"{"people":[{"id":1,"n":"a"},{"id":2,"n":"b"}],"x/y":1}"#)
    try directory.write("b.json", #"{"people":[{"id":2,"n":"b"},{"id":3,"n":"c"}],"x/y":2}"#)
    let run = try await ToolRun.ferry("diff", "--json", "--key", "id", "a.json", "b.json")
    let patch = try #require(JSONSerialization.jsonObject(with: Data(run.bytes)) as? [[String: Any]])
    #expect(patch.map { $0["op"] as? String } == ["remove", "add", "replace"])
    #expect(patch.map { $0["path"] as? String } == ["/people/0", "/people/1", "/x~1y"])
    let same = try await ToolRun.ferry("diff", "--json", "a.json", "a.json")
    #expect(same.status == 0 && same.output.filter { !$0.isWhitespace } == "[]")
  }

  @Test func `A patch of JSON keeps keys that begin with a dollar sign`() async throws {
    try directory.write("a.json", #"{"p":{},"$x":1}"#)
    try directory.write("b.json", #"{"p":{"a":{"$ref":"y"}},"$x":2}"#)
    let run = try await ToolRun.ferry("diff", "--json", "a.json", "b.json")
    let text = run.output.filter { !$0.isWhitespace }
    #expect(text.contains(#""value":{"$ref":"y"}"#) && text.contains(#""path":"/$x""#), "\(run.output)")
    let made = try await ToolRun.shell(
      "for f in a b; do ferry convert $f.json --to plist-binary -o $f.plist; done")
    #expect(made.status == 0, "\(made.errors)")
    _ = try await ToolRun.ferry("insert", "b.plist", "p.d", "2001-01-01T00:00:00Z", "--type", "date")
    let typed = try await ToolRun.ferry("diff", "--json", "a.plist", "b.plist").output.filter {
      !$0.isWhitespace
    }
    #expect(
      typed.contains(#""$$ref""#) && typed.contains(#""path":"/$$x""#) && typed.contains(#""$date""#),
      "\(typed)")
  }

  @Test func `A changed field of a document in the typed form is named, also against an archive`()
    async throws
  {
    let document =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","d":{"$data":"eHl6"},"n":"Ann"},"k"]}}"#
    try directory.write("a.json", document)
    try directory.write("b.json", document.replacing("Ann", with: "Bob"))
    let made = try await ToolRun.shell(
      "for i in a b; do ferry convert $i.json --to archive -o $i.archive; done")
    #expect(made.status == 0, "\(made)")
    for (old, new) in [("a.json", "b.archive"), ("a.archive", "b.json")] {
      let lines = try await ToolRun.ferry("diff", old, new)
      #expect(lines.output.hasSuffix("\n~ [0].n: \"Ann\" → \"Bob\"\n"), "\(old) \(new): \(lines)")
    }
  }

  @Test func `A difference of types alone is one between documents in the typed form and archives`()
    async throws
  {
    func document(_ root: String) -> String {
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#
    }
    try directory.write(
      "a.json", document(#"[{"$class":"Person","n":"M"},{"$class":"NSMutableArray","$items":[1]}]"#))
    try directory.write("b.json", document(#"[{"n":"M"},[1]]"#))
    let made = try await ToolRun.shell(
      """
      for i in a b; do
        ferry convert $i.json --to yaml --form typed -o $i.yaml; ferry convert $i.json --to archive -o $i.archive
      done
      """)
    #expect(made.status == 0, "\(made)")
    let kinds = ["json", "yaml", "archive"]
    for (old, new) in [("a", "b"), ("b", "a"), ("a", "a")] {
      for (first, second) in kinds.flatMap({ kind in kinds.map { (kind, $0) } }) {
        let run = try await ToolRun.ferry("diff", "\(old).\(first)", "\(new).\(second)")
        #expect(
          run.status == (old == new ? 0 : 1) && run.errors == "", "\(old).\(first) \(new).\(second): \(run)")
      }
    }
  }

  @Test(arguments: [
    ("B", "", "~ $archiver: \"NSKeyedArchiver\" → \"B\"\n"),
    ("NSKeyedArchiver", #","$classes":{"P":["P","Q","NSObject"]}"#, "+ $classes: "),
  ])
  func `Another archiver and other superclasses are differences of a document in the typed form`(
    _ archiver: String, _ classes: String, _ line: String
  ) async throws {
    func document(_ archiver: String, _ classes: String) -> String {
      #"{"$ferry":1,"$archiver":"\#(archiver)","$top":{"root":[{"$class":"P"}]}\#(classes)}"#
    }
    try directory.write("a.json", document("NSKeyedArchiver", ""))
    try directory.write("b.json", document(archiver, classes))
    try directory.write("same.json", document("NSKeyedArchiver", #","$classes":{"P":["P","NSObject"]}"#))
    let run = try await ToolRun.ferry("diff", "a.json", "b.json")
    #expect(run.status == 1 && run.output.contains(line), "\(run)")
    let same = try await ToolRun.ferry("diff", "a.json", "same.json")
    #expect(same.status == 0 && same.output == "", "\(same)")
    let patched = try await ToolRun.shell(
      "ferry diff a.json b.json --json > p.json; ferry patch a.json p.json && ferry diff a.json b.json")
    #expect(patched.status == 0 && patched.output == "", "\(patched)")
  }

  @Test func `A patch of documents in the typed form changes their text, also in a ZIP archive`() async throws
  {
    try await makePeople()
    let made = try await ToolRun.shell(
      """
      set -e
      for i in a b; do
        ferry convert $i.pplgrp --to json --form typed -o $i.json --force
        mkdir $i; cp $i.json $i/t.json; echo '[1]' > $i/o.json
        (cd $i; python3 -m zipfile -c ../$i.zip t.json o.json; python3 -m zipfile -c ../${i}1.zip t.json)
        gzip -k $i.json
        python3 -m zipfile -c ${i}2.zip $i.pplgrp
      done
      """)
    #expect(made.status == 0, "\(made.errors)")
    let patch = #"[{"op":"replace","path":"/$top/root/1/first","value":"Eve"}]"#
    for (old, new) in [
      ("a.json", "b.json"), ("a.json", "b.pplgrp"), ("a1.zip", "b1.zip"), ("a1.zip", "b.pplgrp"),
      ("a.json.gz", "b.json.gz"), ("a.json", "b1.zip"), ("a.json", "b2.zip"), ("a1.zip", "b2.zip"),
    ] {
      let run = try await ToolRun.ferry("diff", "--json", old, new)
      #expect(run.status == 1 && run.errors == "", "\(old) \(new): \(run.errors)")
      #expect(run.output.filter { !$0.isWhitespace } == patch, "\(old) \(new): \(run.output)")
      let applied = try await ToolRun.shell(
        """
        ferry diff --json \(old) \(new) | ferry patch \(old) - -o p-\(old) --force
        ferry diff p-\(old) \(new)
        """)
      #expect(applied.status == 0 && applied.errors == "", "\(old) \(new): \(applied.errors)")
    }
    // In other formats than JSON, a key that begins with a dollar sign has one more, also in a file of JSON in an archive.
    let archive = try await ToolRun.shell(
      "ferry diff --json a.zip b.zip > p; cat p; ferry patch a.zip p; ferry diff a.zip b.zip")
    #expect(archive.status == 0 && archive.errors == "", "\(archive.errors)")
    #expect(archive.output.contains(##""path": "/t.json/$$top/root/1/first""##), "\(archive.output)")
    let plain = try await ToolRun.shell("echo '[1]' > plain.json; ferry diff --json b.json plain.json")
    let problem =
      "b.json: no patch of its values gives the other file: it is in the typed form, and the other file is not "
      + "(ferry convert FILE --form typed writes the typed form of the other file)\n"
    #expect(plain.status == 2 && plain.output == "" && plain.errors == problem, "\(plain.errors)")
  }

  @Test func `Differences that are not read to their end give the exit status of SIGPIPE`() async throws {
    let numbers = (0..<20_000).map(String.init).joined(separator: ",")
    try directory.write("a.json", "[\(numbers)]")
    try directory.write("b.json", "[]")
    for option in ["", "--json"] {
      let run = try await ToolRun.shell(
        "(ferry diff \(option) a.json b.json; echo $? > status) | head -1; cat status")
      #expect(run.output.hasSuffix("\n141\n"), "\(run.output)\(run.errors)")
    }
  }

  @Test func `git log compares the lines that ferry show prints`() async throws {
    try await makePeople()
    let run = try await ToolRun.shell(
      """
      set -e
      git init -q .; git config user.email a@example.org; git config user.name a
      git config diff.ferry.textconv "ferry show --textconv --"
      echo '*.pplgrp diff=ferry' > .gitattributes
      cp a.pplgrp c.pplgrp; git add .; git commit -qm 1
      cp b.pplgrp c.pplgrp; git add .; git commit -qm 2
      git log -p -1 --format= -- c.pplgrp
      """)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("-[") && $0.contains("Bob") }, "\(run.output)")
    #expect(lines.contains { $0.hasPrefix("+[") && $0.contains("Eve") }, "\(run.output)")
  }

  @Test func `git log shows each change of long data and text, and goes past broken and empty files`()
    async throws
  {
    let run = try await ToolRun.shell(
      #"""
      set -e
      git init -q .; git config user.email a@example.org; git config user.name a
      git config diff.ferry.textconv "ferry show --textconv --"
      echo '*.json diff=ferry' > .gitattributes; echo '*.plist diff=ferry' >> .gitattributes
      commit() { git add .; git commit -qm "$1"; }
      long=$(printf 'x%.0s' $(seq 2000)); bytes=$(printf 'A%.0s' $(seq 40))
      plist() { printf '<plist version="1.0"><dict><key>d</key><data>%s</data></dict></plist>' "$1" > d.plist; }
      printf '{"s":"%sa"}' $long > c.json; plist ${bytes}AAAA; commit 1
      printf '{"s":"%sb"}' $long > c.json; commit text
      plist ${bytes}AAAB; commit data
      printf '{"s":\n]' > c.json; commit broken
      : > c.json; commit empty
      printf '\001\002\003' > d.plist; commit bytes
      for commit in text data broken empty bytes; do
        echo "commit $commit"; git --no-pager log -p -1 --format= --grep "^$commit$" -U0 | grep '^[-+][^-+]'
      done
      git --no-pager log -p --format= > all
      """#)
    #expect(run.status == 0, "\(run.errors)")
    let commits = run.output.components(separatedBy: "commit ").dropFirst().map { $0.split(separator: "\n") }
    try #require(commits.map(\.first) == ["text", "data", "broken", "empty", "bytes"], "\(run.output)")
    #expect(commits[0].count == 3 && commits[0].last?.contains("xb\"") == true, "\(commits[0])")
    #expect(commits[1].count == 3 && commits[1].allSatisfy { $0 == "data" || $0.contains("sha256") })
    #expect(
      Array(commits[2].suffix(3)) == [
        "+cannot be read: 2:1: expected a value, found \"]\" (at s)", "+{\"s\":", "+]",
      ], "\(commits[2])")
    #expect(commits[3].last == "+cannot be read: the file is empty", "\(commits[3])")
    #expect(
      commits[4].contains { $0.hasPrefix("+cannot be read: ") } && commits[4].last == "+<3 bytes: 01 02 03>",
      "\(commits[4])")
  }

  @Test(arguments: ["--depth 2", "--max-items 3", "--max-text 4", "--color always", "--html"])
  func `Options that change the lines of values are refused with --textconv`(_ option: String) async throws {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.shell("ferry show --textconv \(option) a.json")
    #expect(run.status == 64 && run.output == "", "\(run.output)")
    #expect(run.errors.contains("cannot be used with --textconv"), "\(run.errors)")
  }

  @Test func `git diff shows renamed files, and the errors of others`() async throws {
    let run = try await ToolRun.shell(
      """
      git init -q .; git config user.email a@example.org; git config user.name a
      git config diff.ferry.command 'ferry diff --git --'; echo '*.json diff=ferry' > .gitattributes
      echo '{"a":1,"b":[1,2,3,4,5,6,7,8,9]}' > old.json; echo '{"a":1}' > bad.json
      git add .; git commit -qm one
      git mv old.json new.json; echo '{"a":1' > bad.json
      git --no-pager diff -M HEAD
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("bad.json: cannot be compared: 2:1: "), "\(run.output)")
    #expect(run.errors == "")
    #expect(
      run.output.contains("rename from old.json") && run.output.contains("+++ new.json"), "\(run.output)")
  }

  /// Commands that make a repository with files of difficult names, in two versions. The name in Latin-1 is not UTF-8.
  private static let difficultNames = #"""
    set -e
    git init -q .; git config user.email a@example.org; git config user.name a; echo '* diff=ferry' > .gitattributes
    git add .; git commit -qm 0; latin=$(printf 'l\351.json')
    write() { for f in -x.json -q --help - -- "$latin" z.json; do echo "{\"a\":$1}" > ./"$f"; done; git add -A; }
    write 1; git commit -qm 1; write 2
    """#

  @Test(arguments: ["", " --"])
  func `git diff compares files of any names`(_ end: String) async throws {
    let run = try await ToolRun.shell(
      Self.difficultNames + "\n" + """
        git config diff.ferry.command 'ferry diff --git\(end)'; git --no-pager diff HEAD; git commit -qm 2
        git --no-pager log -1 --format= -p --ext-diff | grep -c '~ a: 1 → 2'
        """)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let count = run.output.split(separator: "\n").count { $0 == "~ a: 1 → 2" }
    #expect(count == 7 && run.output.hasSuffix("\n7\n"), "\(run.output)")
    for name in ["-x.json", "-q", "--help", "-", "--", #"l\xe9.json"#, "z.json"] {
      #expect(run.output.contains("--- \(name)\n+++ \(name)\n~ a: 1 → 2\n"), "\(name): \(run.output)")
    }
  }

  @Test(arguments: ["", " --"])
  func `git log shows the lines of files of any names`(_ end: String) async throws {
    let run = try await ToolRun.shell(
      Self.difficultNames + "\n" + """
        git config diff.ferry.textconv 'ferry show --textconv\(end)'; git --no-pager diff HEAD > work; git commit -qm 2
        git --no-pager log -1 --format= -p > log; grep -c '^+{ a: 2 }' work log
        """)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    // Without --, the file called - cannot be told from the standard input.
    #expect(
      run.output.contains("log:7\n") && run.output.contains("work:\(end.isEmpty ? 6 : 7)\n"), "\(run.output)")
  }

  @Test func `A file that cannot be opened has a text for git`() async throws {
    let run = try await ToolRun.ferry("show", "--textconv", "--", "none.json")
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.hasPrefix("cannot be read: "), "\(run.output)")
  }

  @Test func `An argument that is neither UTF-8 nor the name of a file is refused`() async throws {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.shell("ferry diff a.json a.json --key \"$(printf 'k\\351')\"")
    #expect(run.status == 64 && run.errors.contains(#"k\xe9: the argument is not UTF-8"#), "\(run.errors)")
  }

  @Test func `git diff shows changed modes, and new and removed empty files`() async throws {
    let run = try await ToolRun.shell(
      """
      set -e
      git init -q .; git config user.email a@example.org; git config user.name a
      git config diff.ferry.command 'ferry diff --git --'; echo '*.json diff=ferry' > .gitattributes
      echo '{"a":1}' > a.json; : > old.json; git add .; git commit -qm one
      chmod +x a.json; : > new.json; rm old.json; git add -A; git --no-pager diff --no-renames HEAD
      """)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(
      run.output == """
        old mode 100644
        new mode 100755
        --- a.json
        +++ a.json
        new file mode 100644
        --- new.json
        +++ new.json
        deleted file mode 100644
        --- old.json
        +++ old.json

        """, "\(run.output)")
  }

  @Test func `git diff shows the targets of symbolic links`() async throws {
    let run = try await ToolRun.shell(
      """
      set -e
      git init -q .; git config user.email a@example.org; git config user.name a
      git config diff.ferry.command 'ferry diff --git --'; echo '*.json diff=ferry' > .gitattributes
      echo '{"a":1}' > a.json; ln -s a.json changed.json; ln -s none.json old.json; ln -s a.json turned.json
      git add .; git commit -qm one
      ln -sf none.json changed.json; rm old.json turned.json; ln -s a.json new.json; echo '{"b":1}' > turned.json
      git add -A; git --no-pager diff --no-renames HEAD
      """)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(
      run.output == """
        --- changed.json
        +++ changed.json
        ~ symbolic link: "a.json" → "none.json"
        new file mode 120000
        --- new.json
        +++ new.json
        + symbolic link: "a.json"
        deleted file mode 120000
        --- old.json
        +++ old.json
        - symbolic link: "none.json"
        deleted file mode 120000
        --- turned.json
        +++ turned.json
        - symbolic link: "a.json"
        new file mode 100644
        --- turned.json
        +++ turned.json
        + .: { b: 1 }

        """, "\(run.output)")
  }

  @Test func `A link and a file that replaces it are shown together to GIT_EXTERNAL_DIFF`() async throws {
    try directory.write("link", "a.json")
    try directory.write("b.json", #"{"b":1}"#)
    let hash = String(repeating: "0", count: 40)
    let run = try await ToolRun.ferry(
      "diff", "--git", "--", "x.json", "link", hash, "120000", "b.json", hash, "100644")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(
      run.output == """
        old mode 120000
        new mode 100644
        --- x.json
        +++ x.json
        - symbolic link: "a.json"
        + .: { b: 1 }

        """, "\(run.output)")
  }

  /// Pairs of targets of symbolic links, and their lines in `ferry diff --git`.
  private static let targets: [(old: [UInt8], new: [UInt8], line: String)] = [
    ([0x61, 0xe9], [0x61, 0xe8], #""a\xe9" → "a\xe8""#),
    ([0x61, 0xe9], Array("a\u{fffd}".utf8), #""a\xe9" → "a�""#),
    (Array("\u{e9}".utf8), Array("e\u{301}".utf8), #""\u{e9}" → "e\u{301}""#),
    (Array("a\n".utf8), Array("a".utf8), #""a\n" → "a""#),
  ]

  @Test(arguments: targets.indices)
  func `Targets of symbolic links are compared by their bytes`(_ index: Int) async throws {
    let (old, new, line) = Self.targets[index]
    try directory.write("old", old)
    try directory.write("new", new)
    let hash = String(repeating: "0", count: 40)
    let run = try await ToolRun.ferry(
      "diff", "--git", "--", "x.json", "old", hash, "120000", "new", hash, "120000")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.bytes == Array("--- x.json\n+++ x.json\n~ symbolic link: \(line)\n".utf8), "\(run.output)")
  }

  /// Pairs of different values that look alike, and their lines in `ferry diff`.
  private static let alike = [
    (#""\ud800""#, #""\udfff""#, #""\ud800" → "\udfff""#), (#""\ud800""#, #""\ufffd""#, #""\ud800" → "�""#),
    (#""é""#, #""e\u0301""#, #""\u{e9}" → "e\u{301}""#), (#""a b""#, #""a\u00a0b""#, #""a b" → "a\u{a0}b""#),
    (#""ab""#, #""a\u200bb""#, #""ab" → "a\u{200b}b""#), ("0.0", "-0.0", "0.0 → -0.0"),
  ]

  @Test(arguments: alike.indices)
  func `Texts that look alike are told apart`(_ index: Int) async throws {
    let (old, new, line) = Self.alike[index]
    try directory.write("a.json", "[\(old)]")
    try directory.write("b.json", "[\(new)]")
    let run = try await ToolRun.ferry("diff", "a.json", "b.json")
    #expect(run.output == "--- a.json\n+++ b.json\n~ [0]: \(line)\n", "\(run.output)")
    let texts = [
      try await ToolRun.ferry("show", "--textconv", "a.json"),
      try await ToolRun.ferry("show", "--textconv", "b.json"),
    ]
    #expect(texts[0].bytes != texts[1].bytes, "\(texts[0].output)")
  }

  /// Pairs of different objects of a binary property list whose notation is the same.
  private static let scalars: [([UInt8], [UInt8], String)] = [
    ([0x22, 0x3f, 0xc0, 0, 0], [0x23, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], "1.5 (32-bit) → 1.5"),
    ([0x23, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], [0x23, 0x7f, 0xf8, 0, 0, 0, 0, 0, 1], "nan → nan(0x1)"),
    ([0x33, 0, 0, 0, 0, 0, 0, 0, 0], [0x33, 0x80, 0, 0, 0, 0, 0, 0, 0], "2001-01-01T00:00:00Z → date -0.0"),
  ]

  @Test(arguments: scalars.indices)
  func `Numbers and dates of one notation are told apart`(_ index: Int) async throws {
    let (old, new, line) = Self.scalars[index]
    for (name, object) in [("a", old), ("b", new)] {
      var bytes = Array("bplist00".utf8)
      bytes += object
      let end = UInt8(bytes.count)
      let sizes: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
      bytes += sizes
      bytes += [UInt8](repeating: 0, count: 15)
      bytes.append(end)
      try directory.write("\(name).plist", bytes)
    }
    let run = try await ToolRun.ferry("diff", "a.plist", "b.plist")
    #expect(run.output == "--- a.plist\n+++ b.plist\n~ .: \(line)\n", "\(run.output)")
    let text = try await ToolRun.shell("ferry show --textconv a.plist; ferry show --textconv b.plist")
    #expect(text.output == line.replacing(" → ", with: "\n") + "\n", "\(text.output)")
  }

  @Test func `A key that is not a string has other lines than its text`() async throws {
    try directory.write("a.yaml", "1: a\n")
    try directory.write("b.yaml", "'1': a\n")
    let run = try await ToolRun.shell("ferry show --textconv a.yaml; ferry show --textconv b.yaml")
    #expect(run.output == "{ ? 1: \"a\" }\n{ 1: \"a\" }\n", "\(run.output)")
    try directory.write("c.yaml", "? [1]\n: a\n")
    try directory.write("d.yaml", "'[1]': a\n")
    let lists = try await ToolRun.shell("ferry show --textconv c.yaml; ferry show --textconv d.yaml")
    #expect(lists.output == "{ ? [1]: \"a\" }\n{ \"[1]\": \"a\" }\n", "\(lists.output)")
    let diff = try await ToolRun.ferry("diff", "a.yaml", "b.yaml")
    #expect(
      diff.output == "--- a.yaml\n+++ b.yaml\n- 1: \"a\"\n+ 1: \"a\" (another key)\n", "\(diff.output)")
  }

  @Test func `A file that cannot be compared has the exit status 2, and names the file`() async throws {
    try await makePeople()
    try directory.write("bad.json", "[1")
    for (arguments, status) in [
      (["a.json", "bad.json"], 2), (["none.json", "a.json"], 2), (["a.json"], 64),
      (["a.json", "a.json", "a.json"], 64),
    ] {
      let run = try await ToolRun.ferry(["diff"] + arguments, input: [])
      #expect(run.status == status && run.output == "", "\(arguments): \(run.errors)")
      if status == 2 {
        #expect(run.errors.hasPrefix("bad.json:1:3: ") || run.errors.hasPrefix("none.json: "))
      }
    }
  }

  @Test func `git diff shows the values of a binary file by --git`() async throws {
    try await makePeople()
    let run = try await ToolRun.shell(
      """
      git init -q .; git config user.email a@example.org; git config user.name a
      git config diff.ferry.command 'ferry diff --git --'; echo '*.pplgrp diff=ferry' > .gitattributes
      cp a.pplgrp p.pplgrp; git add .gitattributes p.pplgrp; git commit -qm one
      cp b.pplgrp p.pplgrp; cp a.pplgrp new.pplgrp; git add -N new.pplgrp
      git --no-pager diff
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("--- p.pplgrp\n+++ p.pplgrp\n~ [1].first: \"Bob\" → \"Eve\"\n"),
      "\(run.output)\(run.errors)")
    #expect(run.output.contains("+++ new.pplgrp\n+ .: [Person { first: \"Ada\""), "\(run.output)")
  }

  /// Makes the folders `a` and `b` with files that differ.
  private func makeFolders() async throws {
    let made = try await ToolRun.shell(
      #"""
      set -e; mkdir -p a/sub a/.git b/sub
      ferry convert \#(Self.examples)/things.xml -o a/Things.mystuff; cp -R a/Things.mystuff b
      ferry set b/Things.mystuff '[0].name' Rob
      printf '{"x":1,"y":2}' > a/same.json; printf '{ "y": 2, "x": 1 }' > b/same.json
      printf '{"x":1}' | tee a/sub/q.json > a/old.json; printf '{"x":2}' > b/sub/q.json
      printf '\1\2\3' > a/logo.bin; printf '\1\2\3\4' > b/logo.bin
      printf one > a/note.txt; printf two > b/note.txt; printf new > b/new.txt; echo x > a/.git/config
      printf equal | tee a/equal.txt > b/equal.txt
      """#)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func `Folders are compared by the values of their files, and by the bytes of files of other kinds`()
    async throws
  {
    try await makeFolders()
    let run = try await ToolRun.ferry("diff", "a", "b/")
    #expect(
      run.output == """
        --- a
        +++ b/
        ~ logo.bin: 3 bytes → 4 bytes
        + new.txt: 3 bytes
        ~ note.txt: 3 bytes → 3 bytes
        - old.json: 7 bytes
        --- a/Things.mystuff
        +++ b/Things.mystuff
        ~ [0].name: "Robot" → "Rob"
        --- a/sub/q.json
        +++ b/sub/q.json
        ~ x: 1 → 2

        """, "\(run.output)\(run.errors)")
    #expect(run.status == 1 && run.errors == "", "\(run.errors)")
    let json = try await ToolRun.ferry("diff", "--json", "a", "b")
    #expect(
      json.output == """
        {"file":"Things.mystuff","change":"changed","patch":[{"op":"replace","path":"/0/name","value":"Rob"}]}
        {"file":"logo.bin","change":"changed","oldSize":3,"newSize":4}
        {"file":"new.txt","change":"added","newSize":3}
        {"file":"note.txt","change":"changed","oldSize":3,"newSize":3}
        {"file":"old.json","change":"removed","oldSize":7}
        {"file":"sub/q.json","change":"changed","patch":[{"op":"replace","path":"/x","value":2}]}

        """, "\(json.output)\(json.errors)")
    #expect(json.status == 1 && json.errors == "", "\(json.errors)")
    let wide = try await ToolRun.ferry("diff", "-y", "a", "b")
    #expect(wide.output.contains("old.json - 7 bytes") && wide.output.contains("x ~ 1"), "\(wide.output)")
    let quiet = try await ToolRun.ferry("diff", "-q", "a", "b")
    #expect(quiet.status == 1 && quiet.output == "" && quiet.errors == "")
    let same = try await ToolRun.ferry("diff", "a", "a/")
    #expect(same.status == 0 && same.output == "" && same.errors == "", "\(same.output)\(same.errors)")
    let file = try await ToolRun.shell("ferry diff a b -o d.txt; ferry diff a b | cmp - d.txt")
    expectQuiet(file)
  }

  @Test func `Patterns choose the files of two folders, and errors do not end the comparison`() async throws {
    try await makeFolders()
    let some = try await ToolRun.ferry("diff", "a", "b", "--include", "*.json", "--exclude", "old*", "-r")
    #expect(some.output == "--- a/sub/q.json\n+++ b/sub/q.json\n~ x: 1 → 2\n", "\(some.output)")
    #expect(some.status == 1 && some.errors == "", "\(some.errors)")
    let equal = try await ToolRun.ferry("diff", "a", "b", "--include", "same*")
    #expect(equal.status == 0 && equal.output == "" && equal.errors == "")
    let unused = try await ToolRun.ferry("diff", "a", "b", "--include", "*.jsn")
    #expect(unused.status == 0)
    #expect(
      unused.errors == "--include \"*.jsn\": no file was taken\nno files to compare\n")
    try directory.write("b/same.json", "[1")
    try directory.write("b/old.json", "")
    let broken = try await ToolRun.ferry("diff", "a", "b", "--include", "*.json")
    #expect(broken.status == 2 && broken.errors.hasPrefix("b/same.json:1:3: "), "\(broken.errors)")
    #expect(broken.output.contains("- .: { x: 1 }") && broken.output.contains("~ x: 1 → 2"))
    for (arguments, status) in [
      (["a", "b", "--html"], 64), (["a/old.json", "a/old.json", "--include", "*"], 64),
      (["a", "a/old.json"], 2), (["a", "none"], 2),
    ] {
      let run = try await ToolRun.ferry(["diff"] + arguments, input: [])
      #expect(run.status == status && run.output == "" && run.errors != "", "\(arguments): \(run.errors)")
    }
    let missing = try await ToolRun.ferry("diff", "a", "none")
    #expect(missing.errors == "none: no such file or directory\n")
  }

  @Test func `git difftool compares the files of a commit as folders`() async throws {
    try await makeFolders()
    let run = try await ToolRun.shell(
      #"""
      set -e; export GIT_PAGER=cat
      shorten() { sed -E 's#(---|\+\+\+) /.*/(left|right)/#\1 \2/#'; }
      git init -q r; cp -R a/Things.mystuff a/logo.bin a/old.json a/sub a/equal.txt r; cd r
      git config user.email a@example.org; git config user.name a
      git config difftool.ferry.cmd 'ferry diff -- "$LOCAL" "$REMOTE"'
      git add .; git commit -qm one; git rm -q old.json
      cp -R ../b/Things.mystuff ../b/logo.bin ../b/sub ../b/new.txt .; git add .; git commit -qm two
      git difftool --dir-diff --tool ferry HEAD~1 HEAD | shorten
      echo = working tree
      git difftool --dir-diff --tool ferry HEAD~1 | shorten
      """#)
    let files = """
      --- left/
      +++ right/
      ~ logo.bin: 3 bytes → 4 bytes
      + new.txt: 3 bytes
      - old.json: 7 bytes

      """
    // Git's folders have only the changed files of a package, which are compared one by one.
    let package =
      "--- left/Things.mystuff/things.data\n+++ right/Things.mystuff/things.data\n~ [0].name: \"Robot\" → \"Rob\"\n"
    let other = "--- left/sub/q.json\n+++ right/sub/q.json\n~ x: 1 → 2\n"
    let all = files + package + other
    #expect(
      run.output == all + "= working tree\n" + all,
      "\(run.output)\(run.errors)")
  }

  @Test func `git diff shows the values of a package whose attribute is that of its files`() async throws {
    let run = try await ToolRun.shell(
      #"""
      set -e; export GIT_PAGER=cat
      git init -q .; git config user.email a@example.org; git config user.name a
      git config diff.ferry.command 'ferry diff --git --'
      ferry convert \#(Self.examples)/things.xml -o Things.mystuff
      git add .; git commit -qm one; ferry set Things.mystuff '[0].name' Rob
      echo '*.mystuff diff=ferry' > .git/info/attributes; git diff | grep '^Binary\|~'
      echo '*.mystuff/** diff=ferry' > .git/info/attributes; git diff
      """#)
    #expect(
      run.output == """
        Binary files a/Things.mystuff/things.data and b/Things.mystuff/things.data differ
        --- Things.mystuff/things.data
        +++ Things.mystuff/things.data
        ~ [0].name: "Robot" → "Rob"

        """, "\(run.output)\(run.errors)")
  }

  @Test func `Packages are compared with their other files`() async throws {
    let made = try await ToolRun.shell(
      """
      set -e; ferry convert \(Self.examples)/things.xml -o A.mystuff; cp -R A.mystuff B.mystuff
      ls B.mystuff > names; name=$(grep -v things.data names | head -1); printf x >> "B.mystuff/$name"; rm -f names
      """)
    #expect(made.status == 0, "\(made.errors)")
    let run = try await ToolRun.ferry("diff", "A.mystuff", "B.mystuff")
    #expect(run.status == 1 && run.output.contains(" bytes → "), "\(run.output)\(run.errors)")
    let patch = try await ToolRun.ferry("diff", "--json", "A.mystuff", "B.mystuff")
    #expect(
      patch.status == 1 && patch.errors.contains("differs, which is not in the patch"), "\(patch.errors)")
  }

  private static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples").standardizedFileURL.path

  /// Expects that the patch from `a` to `b`, files of a format, has some operations and makes their values equal.
  private func expectPatch(_ operations: [String], _ format: String) async throws {
    let patch = try await ToolRun.ferry("diff", "--from", format, "--json", "a", "b")
    let found = try #require(
      JSONSerialization.jsonObject(with: Data(patch.bytes)) as? [[String: String]])
    #expect(found.map { $0["op"] } == operations, "\(patch.output)\(patch.errors)")
    try directory.write("p.json", patch.output)
    let applied = try await ToolRun.ferry("patch", "--from", format, "a", "p.json")
    #expect(applied.status == 0, "\(applied.errors)")
    let same = try await ToolRun.ferry("diff", "--from", format, "a", "b")
    #expect(same.status == 0 && same.output == "", "\(same.output)\(same.errors)")
  }

  @Test(arguments: [
    "json", "jsonl", "json5", "yaml", "plist-xml", "plist-binary", "plist-openstep", "plist-gnustep",
    "archive",
    "archive-xml", "typedstream", "xml",
  ])
  func `A renamed key is one line, and a patch moves its value`(_ format: String) async throws {
    let made = try await ToolRun.shell(
      #"""
      set -e
      echo '{"k":1,"old":{"a":1,"b":[1,2,3],"c":"x"},"z":2}' > a.json
      echo '{"k":1,"new":{"a":1,"b":[1,2,3],"c":"x"},"z":2}' > b.json
      for file in a b; do ferry convert $file.json --to \#(format) -o $file -q; done
      """#)
    #expect(made.status == 0, "\(made.errors)")
    let place = ["jsonl": "[0].", "xml": "root."][format] ?? ""
    let found = try await ToolRun.ferry("diff", "--from", format, "a", "b")
    #expect(found.output == "--- a\n+++ b\n> \(place)old → \(place)new\n", "\(found.output)\(found.errors)")
    let wide = try await ToolRun.ferry("diff", "--from", format, "-y", "a", "b")
    #expect(wide.output.contains("\(place)new > \(place)old"), "\(wide.output)")
    try await expectPatch(["move"], format)
  }

  @Test(arguments: [
    "json", "jsonl", "json5", "yaml", "plist-xml", "plist-binary", "plist-openstep", "archive", "archive-xml",
    "typedstream", "xml",
  ])
  func `An element that has moved and changed, and a renamed key with a changed value, are found`(
    _ format: String
  ) async throws {
    let made = try await ToolRun.shell(
      #"""
      set -e
      echo '[{"l":[{"a":"1","b":"2","c":"3"},{"a":"5","b":"6","c":"7"},{"a":"8","b":"9","c":"10"}],"old":{"x":"1","y":"2"}}]' > a.json
      echo '[{"l":[{"a":"8","b":"9","c":"11"},{"a":"1","b":"2","c":"3"},{"a":"5","b":"6","c":"7"}],"new":{"x":"1","y":"3"}}]' > b.json
      for file in a b; do ferry convert $file.json --to \#(format) -o $file -q; done
      """#)
    #expect(made.status == 0, "\(made.errors)")
    let place = format == "xml" ? "root.item." : "[0]."
    let found = try await ToolRun.ferry("diff", "--from", format, "a", "b")
    #expect(
      found.output == """
        --- a
        +++ b
        > \(place)l[2] → \(place)l[0]
        ~ \(place)l[0].c: "10" → "11"
        > \(place)old → \(place)new
        ~ \(place)new.y: "2" → "3"

        """, "\(found.output)\(found.errors)")
    try await expectPatch(["move", "replace", "move", "replace"], format)
  }

  @Test func `An object that moves and changes has a patch also if another place refers to the old one`()
    async throws
  {
    func archive(_ list: String, _ other: String) -> String {
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"list":[\#(list)],"other":\#(other)}}}"#
    }
    let note = ##"{"$class":"Note","$id":1,"a":"x","b":"y","c":1}"##
    let copy = ##"{"$class":"Note","a":"x","b":"y","c":2}"##
    try directory.write("a.json", archive("\(note),1,2", ##"{"$ref":1}"##))
    try directory.write("b.json", archive("1,2,\(copy)", ##"{"$class":"Note","a":"x","b":"y","c":1}"##))
    let run = try await ToolRun.shell(
      """
      for file in a b; do ferry convert $file.json --to archive -o $file.archive; done
      ferry diff a.archive b.archive; ferry diff a.archive b.archive --json -o p.json
      ferry patch a.archive p.json && ferry diff a.archive b.archive; echo $?
      """)
    #expect(
      run.output == """
        --- a.archive
        +++ b.archive
        > list[0] → list[2]
        ~ list[2].c: 1 → 2
        0

        """, "\(run.output)\(run.errors)")
  }

  @Test func `A patch of an object in a set changes this object only`() async throws {
    try directory.write(
      "a.json",
      ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Owner","$id":1,"n":1,"items":"##
        + ##"{"$class":"NSSet","$items":[{"$class":"Item","owner":{"$ref":1},"name":"a","size":1},"##
        + ##"{"$class":"Item","owner":{"$ref":1},"name":"b","size":2}]}}}}"##)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to archive -o a.archive; ferry set a.archive n 2 -o b.archive
      ferry diff a.archive b.archive; ferry diff a.archive b.archive --json -o p.json
      ferry patch a.archive p.json -o c.archive; cmp b.archive c.archive; echo $?
      ferry set b.archive 'items[1].size' 7
      ferry diff a.archive b.archive; ferry diff a.archive b.archive --json -o p.json --force
      ferry patch a.archive p.json -o c.archive --force; cmp b.archive c.archive; echo $?
      """)
    #expect(
      run.output == """
        --- a.archive
        +++ b.archive
        ~ n: 1 → 2
        0
        --- a.archive
        +++ b.archive
        ~ items[1].size: 2 → 7
        ~ n: 1 → 2
        0

        """, "\(run.output)\(run.errors)")
    expectQuiet(try await ToolRun.shell("test $(ferry get p.json '[*].op' | sort -u) = replace"))
  }

  @Test func `A renamed field of an object and a renamed attribute are one line`() async throws {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Note","old":["x"],"z":1}}}"#)
    try directory.write("a.xml", "<r old='a text of some length'><z>1</z></r>")
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to archive -o a.archive
      cp a.archive b.archive; ferry rename --key Note.old=new b.archive > report
      sed 's/old/new/' a.xml > b.xml
      for name in archive xml; do
        ferry diff a.$name b.$name; ferry diff a.$name b.$name --json -o p.json --force
        ferry patch a.$name p.json && ferry diff a.$name b.$name; echo $?
      done
      """)
    #expect(
      run.output == """
        --- a.archive
        +++ b.archive
        > old → new
        0
        --- a.xml
        +++ b.xml
        > r.@old → r.@new
        0

        """, "\(run.output)\(run.errors)")
  }

  @Test func `Real files of every kind do not differ from their typed form`() async throws {
    let root = try Corpus.path()
    // The folder of a folder is a kind of file or a collection.
    let kinds = Dictionary(grouping: try Corpus.files(under: "")) { file in
      file.split(separator: "/").dropLast().prefix(2).joined(separator: "/")
    }
    var compared: Set<Substring> = []
    for (kind, files) in kinds where !kind.isEmpty {
      let files = try files.map { (name: $0, size: try Corpus.bytes($0).count) }.filter { $0.size <= 600_000 }
        .sorted { ($0.size, $0.name) < ($1.size, $1.name) }
      // Some files are damaged or of formats that Ferry does not read.
      for (file, _) in files.dropFirst(files.count / 2).prefix(8) {
        let path = "\(root)/\(file)"
        let made = try await ToolRun.ferry(
          "convert", path, "--to", "json", "--form", "typed", "-o", "twin.json", "--force", "-q")
        guard made.status == 0 else { continue }
        for pair in [[path, "twin.json"], ["twin.json", path]] {
          let run = try await ToolRun.ferry(["diff"] + pair, input: [])
          #expect(run.status == 0 && run.output == "", "\(pair): \(run.output)\(run.errors)")
        }
        compared.formUnion(kind.split(separator: "/").prefix(1))
        break
      }
    }
    var wanted: Set<Substring> = ["json", "keyed", "nibarchive", "plist", "sketch", "typedstream", "xml"]
    if Format.sqlite.canRead { wanted.insert("coredata") }
    #expect(compared.isSuperset(of: wanted), "\(compared)")
  }

  @Test(.enabled(if: Format.sqlite.canWrite))
  func `Texts of a database that are not UTF-8 differ by their bytes, and not from their conversion`()
    async throws
  {
    let made = try await Peer.python(
      """
      import sqlite3
      for name, byte in [('a', 'ff'), ('b', 'fe'), ('c', 'ff'), ('marked', 'efbfbd5c786666')]:
        c = sqlite3.connect('\(directory.path(""))/' + name + '.db')
        c.execute('CREATE TABLE t (x)')
        c.execute("INSERT INTO t VALUES (cast(x'c3a9" + byte + "' AS TEXT))")
        c.commit()
      """)
    #expect(made.succeeded, "\(made.errors)")
    expectQuiet(try await .ferry("diff", "a.db", "c.db"))
    let run = try await ToolRun.ferry("diff", "a.db", "b.db")
    #expect(run.status == 1)
    #expect(run.output.contains("xff\"") && run.output.contains("xfe\""), "\(run.output)")
    expectQuiet(try await .shell("ferry convert a.db -o a.json -q && ferry diff a.db a.json"))
    // This text is UTF-8, and reads like the mark of ff.
    let marked = try await ToolRun.ferry("diff", "a.db", "marked.db")
    #expect(marked.status == 1 && marked.output.contains("~ [0].x: "), "\(marked.output)")
    let patch = try await ToolRun.ferry("diff", "a.db", "b.db", "--json")
    #expect(patch.status == 2 && patch.output == "")
    let problem = "a JSON patch cannot hold the text at [0].x, which is not UTF-8"
    #expect(patch.errors.contains(problem), "\(patch.errors)")
    let same = try await ToolRun.ferry("diff", "a.db", "c.db", "--json")
    #expect(same.status == 0 && same.output == "[]\n", "\(same.output)\(same.errors)")
  }

  @Test(.enabled(if: Format.sqlite.canWrite))
  func `The name of the only table of a database is a part of its content`() async throws {
    try directory.write("rows.json", #"[{"name":"Ada"}]"#)
    try directory.write("two.json", #"{"people":[{"name":"Ada"}],"places":[{"name":"Oslo"}]}"#)
    for (name, table) in [("a.db", "people"), ("b.db", "humans"), ("c.db", "people")] {
      expectQuiet(try await .ferry("convert", "rows.json", "-o", name, "--table", table))
    }
    expectQuiet(try await .ferry("convert", "two.json", "-o", "two.db"))
    expectQuiet(try await .ferry("diff", "a.db", "c.db"))
    expectQuiet(try await .ferry("diff", "a.db", "rows.json"))
    expectQuiet(try await .ferry("diff", "rows.json", "b.db"))
    let renamed = try await ToolRun.ferry("diff", "a.db", "b.db")
    #expect(renamed.status == 1 && renamed.output.contains("> people → humans\n"), "\(renamed.output)")
    let added = try await ToolRun.ferry("diff", "a.db", "two.db")
    #expect(added.output.hasSuffix("\n+ places: [{ name: \"Oslo\" }]\n"), "\(added.output)")
  }

  @Test(arguments: ["json", "yaml", "xml", "plist-xml"])
  func `A ZIP archive and a store do not differ from their typed form`(_ format: String) async throws {
    let file = try await Peer.python(
      """
      import zipfile
      with zipfile.ZipFile('\(directory.path("a.zip"))', 'w') as file:
        file.writestr('a.json', '{"x": 1}')
        file.writestr('b.png', bytes([137, 80, 78, 71, 1, 2]))
      """)
    #expect(file.succeeded, "\(file.errors)")
    let twin = "twin." + (format == "plist-xml" ? "plist" : format)
    let stores = Format.sqlite.canWrite ? ["\(Self.examples)/People.storedata"] : []
    for source in ["a.zip"] + stores {
      let made = try await ToolRun.ferry(
        "convert", source, "--to", format, "--form", "typed", "-o", twin, "--force", "-q")
      #expect(made.status == 0, "\(made.errors)")
      for pair in [[source, twin], [twin, source]] {
        let run = try await ToolRun.ferry(["diff"] + pair, input: [])
        #expect(run.status == 0 && run.output == "", "\(pair): \(run.output)\(run.errors)")
      }
    }
    // One change is one difference.
    let changed = try await ToolRun.shell(
      "ferry convert a.zip --to json --form typed | sed 's/\"x\":1/\"x\":2/' > b.json; ferry diff a.zip b.json"
    )
    #expect(
      changed.output == "--- a.zip\n+++ b.json\n~ [\"a.json\"].x: 1 → 2\n",
      "\(changed.output)\(changed.errors)")
  }

  @Test(arguments: ["yaml", "archive"])
  func `A key with the text of another key is not the same key`(_ format: String) async throws {
    let run = try await ToolRun.shell(
      #"""
      printf '? [a, b]\n: l\n"[\\"a\\",\\"b\\"]": ls\n' > a.yaml; sed 's/: l$/: L/' a.yaml > b.yaml
      printf '? {q: 1}\n: m\n' > c.yaml; printf "'{\"q\":1}': m\n" > d.yaml
      for f in a b c d; do ferry convert $f.yaml --to \#(format) -o $f.\#(format) --force; done
      ferry diff a.\#(format) b.\#(format); echo $?; ferry diff c.\#(format) d.\#(format) > x; echo $?
      ferry diff c.\#(format) c.\#(format); echo $?
      """#)
    #expect(
      run.output == """
        --- a.\(format)
        +++ b.\(format)
        ~ ["[\\"a\\",\\"b\\"]"]: "l" → "L"
        1
        1
        0

        """, "\(run)")
  }

  @Test func `Differences and patches are written to a file, which is not replaced without --force`()
    async throws
  {
    try directory.write("a.json", #"{"a":1}"#)
    try directory.write("b.json", #"{"a":2}"#)
    let run = try await ToolRun.ferry("diff", "--json", "a.json", "b.json", "-o", "p.json")
    #expect(run.status == 1 && run.output == "" && run.errors == "", "\(run.errors)")
    let again = try await ToolRun.ferry("diff", "a.json", "b.json", "-o", "p.json")
    #expect(again.status == 2 && again.errors.hasPrefix("p.json: the file already exists"), "\(again.errors)")
    let patch = try await ToolRun.shell("ferry patch a.json p.json -o c.json && cat c.json")
    #expect(patch.output == #"{"a":2}"#, "\(patch.errors)")
    let listing = try await ToolRun.shell("ferry diff a.json b.json -o p.json --force; cat p.json")
    #expect(listing.output == "--- a.json\n+++ b.json\n~ a: 1 → 2\n" && listing.errors == "")
    let same = try await ToolRun.shell("ferry diff b.json c.json -o p.json --force && wc -c < p.json")
    #expect(same.output.filter { $0 != " " } == "0\n" && same.errors == "", "\(same.errors)")
    let own = try await ToolRun.ferry("diff", "a.json", "b.json", "-o", "a.json", "--force")
    #expect(own.status == 2 && own.output == "")
  }

  private static let lists = [
    (
      "<root><item><t>x</t></item><item><t>2</t></item></root>", #"[{"t":["x","y"]},{"t":"2"}]"#,
      "+ root.item[0].t[1]: \"y\"\n"
    ),
    (
      "<root><item><a>1</a><t>x</t></item><item><a>2</a></item></root>",
      #"[{"a":"1","t":["x","y"]},{"a":"3"}]"#, "+ root.item[0].t[1]: \"y\"\n~ root.item[1].a: \"2\" → \"3\"\n"
    ),
  ]

  @Test(arguments: lists.indices)
  func `XML and JSON are compared by their parts if a field is a list in one record`(_ index: Int)
    async throws
  {
    let (xml, json, lines) = Self.lists[index]
    try directory.write("a.xml", xml)
    try directory.write("b.json", json)
    let run = try await ToolRun.ferry("diff", "a.xml", "b.json")
    #expect(run.status == 1 && run.output == "--- a.xml\n+++ b.json\n" + lines, "\(run.output)\(run.errors)")
    let patched = try await ToolRun.shell(
      "ferry diff --json a.xml b.json -o p.json; ferry patch a.xml p.json && ferry diff a.xml b.json")
    #expect(
      patched.status == 0 && patched.output == "" && patched.errors == "",
      "\(patched.output)\(patched.errors)")
    // Ferry writes a list as an XML document with the element root. In one piece, this pointer looks like a path of the machine.
    #expect(try directory.text("p.json").contains("\"/root" + "/item/0/t"))
  }

  @Test func `Differences whose paths are much larger than the files are refused`() async throws {
    let key = String(repeating: "k", count: 2000)
    for (name, value) in [("a.json", "1"), ("b.json", "2")] {
      let list = Array(repeating: value, count: 20_000).joined(separator: ",")
      let begin = String(repeating: "{\"\(key)\":", count: 400)
      try directory.write(name, "\(begin)[\(list)]" + String(repeating: "}", count: 400))
    }
    let run = try await ToolRun.ferry("diff", "a.json", "b.json")
    #expect(run.status == 2 && run.output == "", "\(run.output.prefix(1000))")
    #expect(run.errors.contains("b.json: expands to more than 100 times its size"), "\(run.errors)")
  }
}
