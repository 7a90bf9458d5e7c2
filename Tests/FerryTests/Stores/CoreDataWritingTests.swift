import Foundation
import TestSupport
import Testing

@testable import Ferry

/// Prints what two databases have that is not the same, but for the versions of rows.
private let comparing = """
  import sqlite3, sys
  a, b = [sqlite3.connect(f'file:{path}?immutable=1', uri=True) for path in sys.argv[1:]]
  def tables(c):
    found = {}
    for name, in c.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
      rows = c.execute(f'SELECT * FROM "{name}"')
      kept = [i for i, column in enumerate(rows.description) if column[0] != 'Z_OPT']
      found[name] = sorted(repr([(type(row[i]).__name__, row[i]) for i in kept]) for row in rows)
    return found
  before, after = tables(a), tables(b)
  print(sum(map(len, before.values())), [name for name in before | after if before.get(name) != after.get(name)])
  print(b.execute('PRAGMA integrity_check').fetchone()[0], b.execute('PRAGMA journal_mode').fetchone()[0])
  numbers = lambda c: [c.execute(f'PRAGMA {name}').fetchone() for name in ('user_version', 'application_id', 'auto_vacuum')]
  print(numbers(a) == numbers(b))
  schema = 'SELECT type, name, sql FROM sqlite_master ORDER BY name'
  print(a.execute(schema).fetchall() == b.execute(schema).fetchall())
  """

/// Objects of the library's store, with everything that its model knows.
private let library = """
  {"Agent":[{"objectID":"Agent/p4","author":"Author/p7","name":"Bond","poems":["Poem/p3"]}],"Author":[{"objectID":"Author/p7",\
  "active":false,"rating":-32768,"agent":"Agent/p4","price":12.5,"born":"1815-12-10T00:00:00.25Z","name":"Ada",\
  "id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","photo":"AAEC/w==","works":["Poem/p3","Novel/p1"],\
  "tags":["Tag/p2","Tag/p1"]},{"objectID":"Author/p9","active":true,"rating":null,"agent":null,"price":null,\
  "born":null,"name":"","id":null,"photo":null,"works":[],"tags":["Tag/p2"]}],"Tag":[{"objectID":"Tag/p1",\
  "word":"x","authors":["Author/p7"]},{"objectID":"Tag/p2","word":"y","authors":["Author/p7","Author/p9"]}],\
  "Work":[],"Novel":[{"objectID":"Novel/p1","author":"Author/p7","next":"Poem/p3","title":"N"}],\
  "Poem":[{"objectID":"Poem/p3","lines":14,"author":"Author/p7","next":null,"editor":"Agent/p4","title":"P"}],\
  "TRANSACTION":[{"objectID":"TRANSACTION/p1"}]}

  """

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Objects of a Core Data store` {
  /// JSON, or whatever it is, as a store that is a copy of another.
  private func copy(
    _ template: String, with input: [UInt8], _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> (path: String, losses: [Loss.Kind]) {
    var conversion = Conversion(to: .sqlite)
    conversion.writing.template = try StoreTemplate(path: template)
    change(&conversion)
    let result = try conversion.convert(input)
    let path = TemporaryDirectory.current.path("copy\(UInt64.random(in: 0 ... .max)).storedata")
    try Data(result.bytes).write(to: URL(filePath: path))
    return (path, result.report.losses.counts.map(\.kind))
  }

  private func copy(_ template: String, with json: String) throws -> String {
    try copy(template, with: Array(json.utf8)).path
  }

  private func append(_ json: String, to path: String, table: String? = nil) throws -> [Loss.Kind] {
    var conversion = Conversion(to: .sqlite)
    conversion.writing.table = table
    let report = try conversion.convert(
      MemoryInput(Array(json.utf8)), named: nil, to: DatabaseOutput(path: path), named: path)
    return report.losses.counts.map(\.kind)
  }

  private func json(
    _ path: String, as target: Format = .json, representation: Representation = .plain, expands: Bool = false
  )
    throws -> [UInt8]
  {
    var conversion = Conversion(to: target)
    (conversion.writing.representation, conversion.reading.expandsData) = (representation, expands)
    let output = MemoryOutput()
    _ = try conversion.convert(FileInput(path: path), to: output)
    return output.bytes
  }

  /// Returns the rows that Python's SQLite returns for queries.
  private func rows(_ path: String, _ queries: String...) async throws -> [String] {
    let run = try await Peer.run(
      "python3",
      [
        "-c",
        "import sqlite3, sys\nfor q in sys.argv[2:]: print(sqlite3.connect(sys.argv[1]).execute(q).fetchall())",
      ]
        + [path] + queries)
    #expect(run.succeeded, "\(run.errors)")
    return run.text.split(separator: "\n").map(String.init)
  }

  // MARK: Copies of a store

  @Test(arguments: ["DataUsage.sqlite", "NotesV7.storedata", "kik.sqlite", "knowledgec-10.13.db", nil])
  func `Objects come back from JSON in a copy of their store, row by row`(_ name: String?) async throws {
    let store = try name.map { "\(try Corpus.path())/coredata/plaso/\($0)" } ?? exampleStore
    let before = try json(store)
    let copy = try copy(store, with: before)
    #expect(copy.losses == (name == "knowledgec-10.13.db" ? [.storeTables] : []))
    #expect(try json(copy.path) == before)
    let compared = try await Peer.run("python3", ["-c", comparing, store, copy.path])
    let lines = compared.text.split(separator: "\n")
    #expect(lines.first?.hasSuffix(" []") == true, "\(compared.text) \(compared.errors)")
    #expect(lines.dropFirst() == ["ok delete", "True", "True"])
  }

  @Test(arguments: [
    (Format.json, Representation.plain, false), (.xml, .plain, false), (.binaryPropertyList, .plain, false),
    (.archive, .plain, false), (.json, .typed, true), (.xml, .typed, true), (.xmlPropertyList, .typed, true),
  ])
  func `Objects come back from other formats and representations`(
    _ target: Format, _ representation: Representation, _ expands: Bool
  ) async throws {
    for store in [exampleStore, try copy(try await LibraryStore.make(), with: library)] {
      let other = try json(store, as: target, representation: representation, expands: expands)
      // XML does not tell an empty text from nothing, which is said where it is written.
      let before = String(decoding: try json(store), as: UTF8.self)
      let copy = try copy(store, with: other).path
      let after = String(decoding: try json(copy), as: UTF8.self)
      #expect(after == before)
      #expect(try json(copy, as: target, representation: representation, expands: expands) == other)
    }
  }

  @Test func `Objects of each kind are stored as the model says`() async throws {
    let empty = try await LibraryStore.make()
    let path = try copy(empty, with: library)
    #expect(String(decoding: try json(path), as: UTF8.self) == library)
    #expect(
      try await rows(
        path, "SELECT * FROM ZAGENT", "SELECT * FROM ZAUTHOR", "SELECT * FROM Z_2TAGS",
        "SELECT * FROM ZWORK", "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY", "SELECT * FROM ATRANSACTION",
        "SELECT Z_UUID FROM Z_METADATA") == [
          "[(4, 1, 1, 7, 'Bond')]",
          #"""
          [(7, 2, 1, 0, -32768, 4, 12.5, -5840035199.75, 'Ada', \#
          b'\xe6!\xe1\xf8\xc3lIZ\x93\xfc\x0c$z>n_', b'\x01\x00\x01\x02\xff'), \#
          (9, 2, 1, 1, None, None, None, None, '', None, None)]
          """#,
          "[(7, 1, 2048), (7, 2, 1024), (9, 2, 1024)]",
          "[(1, 5, 1, None, 7, 2048, 3, 6, None, 'N'), (3, 6, 1, 14, 7, 1024, None, None, 4, 'P')]",
          "[('Agent', 4), ('Author', 9), ('Tag', 2), ('Work', 3), ('Novel', 0), ('Poem', 0), ('TRANSACTION', 1)]",
          "[(1, 16002, 1)]", "[('D8D2C1A0-3D5B-4B0A-9F57-0B1E6F0E3C11',)]",
        ])
  }

  @Test func `Objects take the place of all those in the template`() throws {
    let path = try copy(exampleStore, with: #"{"Person": [{"firstName": "Ada"}]}"#)
    #expect(try read(path)["Group"] == [])
    #expect(try read(path)["Person"]?[0]?["objectID"] == "Person/p1")
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.range(of: Data("Rosenfeld".utf8)) == nil)
    #expect(bytes.range(of: Data("Ada".utf8)) != nil)
  }

  @Test func `Objects have the defaults of the model if the record has no value`() async throws {
    let path = try copy(try await LibraryStore.make(), with: #"{"Author": [{"name": "Ada", "born": null}]}"#)
    let author = try read(path)["Author"]?[0]
    #expect(author?["rating"] == 3)
    #expect(author?["active"] == true)
    #expect(author?["price"] == .null)
  }

  @Test func `Objects belong together as soon as one side says so`() async throws {
    let empty = try await LibraryStore.make()
    let whole = try read(try copy(empty, with: library))
    let sides = [
      // The owners of lists, and one of one.
      #""Novel":[{"objectID":"Novel/p1"}],"Agent":[{"objectID":"Agent/p4","poems":["Poem/p3"]}],"Author":[{"objectID":"Author/p7","name":"","agent":"Agent/p4","#
        + #""works":["Poem/p3","Novel/p1"],"tags":["Tag/p2","Tag/p1"]},{"objectID":"Author/p9","name":"","#
        + #""tags":["Tag/p2"]}],"Tag":[{"objectID":"Tag/p1"},{"objectID":"Tag/p2"}],"#
        + #""Poem":[{"objectID":"Poem/p3"}]"#,
      // The objects in the lists, before and behind their owners.
      #""Poem":[{"objectID":"Poem/p3","author":"Author/p7","editor":"Agent/p4"}],"Agent":[{"objectID":"Agent/p4","author":"Author/p7"}],"#
        + #""Tag":[{"objectID":"Tag/p1","authors":["Author/p7"]},{"objectID":"Tag/p2","#
        + #""authors":["Author/p7","Author/p9"]}],"Author":[{"objectID":"Author/p7","name":""},"#
        + #"{"objectID":"Author/p9","name":""}],"Novel":[{"objectID":"Novel/p1","author":"Author/p7"}]"#,
    ]
    for (index, said) in sides.enumerated() {
      let found = try read(try copy(empty, with: "{\(said)}"))
      for (entity, key) in [("Agent", "author"), ("Tag", "authors"), ("Novel", "author"), ("Poem", "author")]
      {
        #expect(found[entity]?[0]?[key] == whole[entity]?[0]?[key], "\(index) \(entity)")
      }
      let author = found["Author"]?[0]
      #expect(author?["agent"] == "Agent/p4")
      #expect(found["Agent"]?[0]?["poems"] == ["Poem/p3"])
      // The order is what the owner says.
      #expect(author?["works"] == (index == 0 ? ["Poem/p3", "Novel/p1"] : ["Novel/p1", "Poem/p3"]))
      #expect(author?["tags"] == (index == 0 ? ["Tag/p2", "Tag/p1"] : ["Tag/p1", "Tag/p2"]))
    }
  }

  // MARK: A store that is there

  @Test func `Objects that are added to a store get new keys, and so do the references to them`() async throws
  {
    let path = try copy(try await LibraryStore.make(), with: library)
    #expect(try append(library, to: path) == [.storeTables])
    let found = try read(path)
    #expect(found["Author"]?[2]?["objectID"] == "Author/p10")
    #expect(found["Author"]?[2]?["works"] == ["Poem/p5", "Novel/p4"])
    #expect(found["Author"]?[2]?["tags"] == ["Tag/p4", "Tag/p3"])
    #expect(found["Author"]?[2]?["agent"] == "Agent/p5")
    #expect(found["Agent"]?[1]?["author"] == "Author/p10")
    #expect(found["Agent"]?[1]?["poems"] == ["Poem/p5"])
    #expect(found["Novel"]?[1]?["next"] == "Poem/p5")
    #expect(found["Author"]?[0]?["works"] == ["Poem/p3", "Novel/p1"])
    #expect(
      try await rows(path, "SELECT Z_MAX FROM Z_PRIMARYKEY", "SELECT Z_PK, Z_ENT, Z_OPT FROM ZWORK") == [
        "[(5,), (11,), (4,), (5,), (0,), (0,), (1,)]", "[(1, 5, 1), (3, 6, 1), (4, 5, 1), (5, 6, 1)]",
      ])
  }

  @Test func `Objects are those of one entity if it is named by the option or the schema`() throws {
    let path = TemporaryDirectory.current.path("people.storedata")
    try FileManager.default.copyItem(atPath: exampleStore, toPath: path)
    _ = try append(
      #"[{"firstName": "Ada", "lastname": "Lovelace"}, {"group": null}]"#, to: path, table: "person")
    _ = try append(#"{"firstName": "Alan"}"#, to: path, table: "Person")
    let people = "<people><person><firstName>Grace</firstName><lastName>Hopper</lastName></person></people>"
    #expect(try append(people, to: path) == [])
    let found = try read(path, table: "Person")
    #expect((3...6).map { found[$0]?["firstName"] } == ["Ada", .null, "Alan", "Grace"])
    #expect(found[3]?["lastName"] == "Lovelace")
    #expect(found[6]?["objectID"] == "Person/p8")
  }

  @Test func `Earlier objects that a trigger of the store's table removes are refused`() throws {
    let path = TemporaryDirectory.current.path("people.storedata")
    try FileManager.default.copyItem(atPath: exampleStore, toPath: path)
    let connection = try SQLiteConnection(changing: path, budget: Budget())
    try connection.execute(
      "CREATE TRIGGER r AFTER INSERT ON ZPERSON WHEN NEW.ZFIRSTNAME = 'Bob' "
        + "BEGIN DELETE FROM ZPERSON WHERE ZFIRSTNAME = 'Ada'; END")
    let before = try read(path, table: "Person")
    let failure = #expect(throws: FerryError.self) {
      try append(#"[{"firstName": "Ada"}, {"firstName": "Bob"}]"#, to: path, table: "Person")
    }
    #expect(failure?.reason == .database(.removedByTrigger(table: "ZPERSON")))
    #expect(try read(path, table: "Person") == before)
  }

  @Test func `Objects that a trigger of the store's table drops are refused`() throws {
    let path = TemporaryDirectory.current.path("people.storedata")
    try FileManager.default.copyItem(atPath: exampleStore, toPath: path)
    let connection = try SQLiteConnection(changing: path, budget: Budget())
    try connection.execute(
      "CREATE TRIGGER r BEFORE INSERT ON ZPERSON WHEN NEW.ZFIRSTNAME = 'Bob' BEGIN SELECT raise(IGNORE); END")
    let before = try read(path, table: "Person")
    let failure = #expect(throws: FerryError.self) {
      try append(#"[{"firstName": "Ada"}, {"firstName": "Bob"}]"#, to: path, table: "Person")
    }
    #expect(failure?.reason == .database(.droppedByTrigger(table: "ZPERSON")))
    #expect(failure?.path.description == "[1]")
    #expect(try read(path, table: "Person") == before)
  }

  @Test func `Objects of a store without a model are recognized by their columns`() throws {
    let path = try makeDatabase(
      "plain.db",
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 0)", "CREATE TABLE Z_METADATA (Z_UUID)",
      "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFIRSTNAME VARCHAR, "
        + "ZFRIEND INTEGER, ZBORN TIMESTAMP, ZID BLOB)")
    let records =
      #"[{"objectID": "Person/p1", "firstName": "Ada", "friend": "Person/p2", "born": "2001-01-01T00:00:01Z", "#
      + #""id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}, {"objectID": "Person/p2", "friend": 7, "id": "AAE="}]"#
    #expect(try append(records, to: path) == [.storedKeys])
    #expect(try append(records, to: path) == [.storedKeys])
    let found = try read(path)
    #expect((0..<4).map { found[$0]?["friend"] } == [2, 7, 4, 7])
    #expect(found[0]?["born"] == .date(secondsSince2001: 1))
    #expect(found[1]?["id"] == .data([0, 1]))
    #expect(found[0]?["id"] == .data(UUIDText.bytes("E621E1F8-C36C-495A-93FC-0C247A3E6E5F".utf8.span) ?? []))
  }

  @Test func `Entities and relationships of XML may be in any order`() async throws {
    let empty = try await LibraryStore.make()
    let xml = """
      <library>
        <tag><objectID>Tag/p1</objectID><word>x</word></tag>
        <author><tags>Tag/p1</tags><name>Ada</name><active>no</active><tags>Tag/p2</tags></author>
        <tag><objectID>Tag/p2</objectID><word>y</word></tag>
      </library>
      """
    let (path, losses) = try copy(empty, with: Array(xml.utf8))
    #expect(losses.contains(.siblingOrder))
    let found = try read(path)
    #expect(found["Tag"]?[1]?["word"] == "y")
    #expect(found["Author"]?[0]?["tags"] == ["Tag/p1", "Tag/p2"])
  }

  @Test func `Objects are found in XML by the names of their entities and attributes`() async throws {
    let empty = try await LibraryStore.make()
    let xml = """
      <library>
        <author objectID="Author/p1"><name>Ada</name><rating>12</rating><active>no</active><price>1.5</price>
          <born>1815-12-10T00:00:00Z</born><photo>AAE=</photo><works>Poem/p1</works><id/></author>
        <tag word="x"/><tag word="y"/>
        <poem><objectID>Poem/p1</objectID><author/><title></title></poem>
      </library>
      """
    // An element without content says that there is nothing, which here is not so.
    let failure = #expect(throws: FerryError.self) { try copy(empty, with: xml) }
    #expect(
      failure?.description
        == #"the author of "Poem/p1" does not have "Author/p1" (at Author[0].works[0])"#)
    let found = try read(try copy(empty, with: xml.replacing("<author/>", with: "")))
    #expect(
      found["Author"] == [
        [
          "objectID": "Author/p1", "active": false, "rating": 12, "agent": .null, "price": .real(1.5),
          "born": .date(secondsSince2001: -5_840_035_200), "name": "Ada", "id": .null,
          "photo": .data([0, 1]),
          "works": ["Poem/p1"], "tags": [],
        ]
      ])
    #expect(found["Tag"]?[1]?["word"] == "y")
    #expect(found["Poem"]?[0]?["title"] == "")
  }

  @Test func `Objects report what a column makes of their values`() async throws {
    let empty = try await LibraryStore.make()
    let connection = try SQLiteConnection(changing: empty, budget: Budget())
    // Without a model nothing says which entity has which of the two.
    try connection.execute("ALTER TABLE ZWORK ADD COLUMN ZTITLE1 VARCHAR")
    try connection.execute("DELETE FROM Z_MODELCACHE")
    let json =
      #"{"Author": [{"name": "", "price": "1234567890123456.75"}], "Poem": [{"title": "a", "title1": "b"}]}"#
    let copy = try copy(empty, with: Array(json.utf8))
    #expect(copy.losses == [.columnType, .ambiguousColumn])
    #expect(try read(copy.path)["Poem"]?[0]?["title1"] == "b")
  }

  @Test func `All objects are refused if the store refuses one, whatever breaks a schema`() throws {
    let people =
      #"[{"firstName": "Ada", "lastName": "L"}, {"firstName": 7}, {"lastName": "L", "firstName": "A", "nick": 1}]"#
    let path = TemporaryDirectory.current.path("people.storedata")
    try FileManager.default.copyItem(atPath: exampleStore, toPath: path)
    let before = try Data(contentsOf: URL(filePath: path))
    var conversion = Conversion(to: .sqlite)
    (conversion.reading.schema, conversion.keepsGoing) = (.person, true)
    let failure = #expect(throws: FerryError.self) {
      try conversion.convert(
        MemoryInput(Array(people.utf8)), named: nil, to: DatabaseOutput(path: path), named: path)
    }
    #expect(failure?.reason == .database(.noAttribute("nick", entity: "Person")))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  // MARK: Refusals

  private static let refusals: [(String, String)] = [
    (
      #"{"Novel": [{"lines": 14}]}"#,
      #"1:24: the entity "Novel" has no attribute or relationship "lines" (at Novel[0].lines)"#
    ),
    (#"{"Tag": [{"word": "a", "word": "b"}]}"#, "1:35: the field word occurs twice (at Tag[0].word)"),
    (
      #"{"Author": [{"name": "", "agent": null, "agent": null}]}"#,
      "1:54: the field agent occurs twice (at Author[0].agent)"
    ),
    (
      #"{"Dog": []}"#,
      #"1:2: no entity "Dog"; there are "Agent", "Author", "Tag", "Work", "Novel", "Poem" (at Dog)"#
    ),
    (
      #"[{"name": "Ada"}]"#,
      #"1:1: the records belong to one entity; there are "Agent", "Author", "Tag", "Work", "Novel", "Poem""#
    ),
    (#"7"#, "1:1: expected a dictionary of entities, each a list of records, for a Core Data store"),
    (
      #"{"Tag": 7}"#,
      "1:9: expected a dictionary of entities, each a list of records, for a Core Data store (at Tag)"
    ),
    (#"{"Tag": [7]}"#, "1:10: expected a dictionary as the row of a table, found something else (at Tag[0])"),
    (
      #"{"Tag": [{}, {"words": "x"}]}"#,
      #"1:27: the entity "Tag" has no attribute or relationship "words" (at Tag[1].words)"#
    ),
    (#"{"Author": [{"rating": 1}]}"#, "1:25: the Author has no name (at Author[0])"),
    (#"{"Author": [{"name": null}]}"#, "1:26: the Author has no name (at Author[0].name)"),
    (#"{"Author": [{"name": 7}]}"#, "1:23: expected a string in the field name, found 7 (at Author[0].name)"),
    (
      #"{"Author": [{"name": "", "rating": 32768}]}"#,
      "1:41: expected an integer of 16 bits in the field rating, found 32768 (at Author[0].rating)"
    ),
    (
      #"{"Author": [{"name": "", "rating": 1.5}]}"#,
      "1:39: expected an integer in the field rating, found 1.5 (at Author[0].rating)"
    ),
    (
      #"{"Author": [{"name": "", "active": "yes"}]}"#,
      #"1:41: expected true or false in the field active, found "yes" (at Author[0].active)"#
    ),
    (
      #"{"Author": [{"name": "", "id": "E621"}]}"#,
      #"1:38: expected a UUID in the field id, found "E621" (at Author[0].id)"#
    ),
    (
      #"{"Author": [{"name": "", "photo": {"a": 1}}]}"#,
      "1:43: expected data (Base64 in text) in the field photo, found a dictionary (at Author[0].photo)"
    ),
    (
      #"{"Author": [{"name": "", "born": 7}]}"#,
      "1:35: expected a date such as 2014-06-01T09:30:00Z in the field born, found 7 (at Author[0].born)"
    ),
    (#"{"Agent": [{"author": "Author/p1"}]}"#, #"no object "Author/p1" exists (at Agent[0].author)"#),
    (
      #"{"Agent": [{"author": "Agent/p1"}]}"#,
      #"1:33: expected an objectID such as Author/p1 in the field author, found "Agent/p1" (at Agent[0].author)"#
    ),
    (
      #"{"Agent": [{"author": "Author/p01"}]}"#,
      #"1:35: expected an objectID such as Author/p1 in the field author, found "Author/p01" (at Agent[0].author)"#
    ),
    (
      #"{"Agent": [{"author": 7}]}"#,
      "1:24: expected an objectID such as Author/p1 in the field author, found 7 (at Agent[0].author)"
    ),
    (
      #"{"Author": [{"name": "", "tags": "Tag/p1"}]}"#,
      #"1:42: expected a list of objectIDs in the field tags, found "Tag/p1" (at Author[0].tags)"#
    ),
    (
      #"{"Author": [{"name": "", "tags": ["Work/p1"]}]}"#,
      #"1:45: expected an objectID such as Tag/p1 in the field tags, found "Work/p1" (at Author[0].tags[0])"#
    ),
    (
      #"{"Tag": [{"objectID": "Tag/p1"}], "Author": [{"name": "", "tags": ["Tag/p1", "Tag/p1"]}]}"#,
      #"1:87: the list names "Tag/p1" twice (at Author[0].tags[1])"#
    ),
    (
      #"{"Tag": [{"objectID": "Tag/p1"}, {"objectID": "Tag/p1"}]}"#,
      #"1:55: the object "Tag/p1" already exists (at Tag[1])"#
    ),
    (
      #"{"Tag": [{"objectID": "Work/p1"}]}"#,
      #"1:32: expected a name such as Tag/p1 in the field objectID, found "Work/p1" (at Tag[0].objectID)"#
    ),
    (
      #"{"Work": [{"objectID": "Work/p1", "next": "Work/p2"}], "Poem": [{"objectID": "Poem/p2"}]}"#,
      #"no object "Work/p2" exists (at Work[0].next)"#
    ),
    (
      #"{"Work": [{"objectID": "Work/p2"}], "Poem": [{"objectID": "Poem/p2"}]}"#,
      #"1:68: the object "Poem/p2" already exists (at Poem[0])"#
    ),
    (
      #"{"Author": [{"objectID": "Author/p1", "name": "", "works": ["Work/p1"]}], "Work": [{"objectID": "Work/p1", "author": null}]}"#,
      #"the author of "Work/p1" does not have "Author/p1" (at Author[0].works[0])"#
    ),
    (
      #"{"Author": [{"objectID": "Author/p1", "name": "", "works": []}], "Work": [{"objectID": "Work/p1", "author": "Author/p1"}]}"#,
      #"the works of "Author/p1" does not have "Work/p1" (at Work[0].author)"#
    ),
    (
      #"{"Author": [{"name": "", "works": ["Work/p1"]}, {"name": "", "works": ["Work/p1"]}], "Work": [{"objectID": "Work/p1"}]}"#,
      #""Work/p1" is also in the list of another object (at Author[1].works[0])"#
    ),
    (
      #"{"Author": [{"objectID": "Author/p1", "name": "", "tags": ["Tag/p1"]}], "Tag": [{"objectID": "Tag/p1", "authors": []}]}"#,
      #"the authors of "Tag/p1" does not have "Author/p1" (at Author[0].tags[0])"#
    ),
    (
      #"{"Author": [{"objectID": "Author/p1", "name": "", "agent": "Agent/p1"}], "Agent": [{"objectID": "Agent/p1", "author": null}]}"#,
      #"the author of "Agent/p1" does not have "Author/p1" (at Author[0].agent)"#
    ),
  ]

  @Test func `Objects that the store cannot have are refused, in a copy and in an existing store`()
    async throws
  {
    let path = try await LibraryStore.make()
    let before = try Data(contentsOf: URL(filePath: path))
    for (json, message) in Self.refusals {
      let copied = #expect(throws: FerryError.self, "\(json)") { try copy(path, with: json) }
      #expect(copied?.description == message, "\(json)")
      let appended = #expect(throws: FerryError.self, "\(json)") { try append(json, to: path) }
      #expect(appended?.description == message, "\(json)")
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `Objects need a store that an app has made`() throws {
    let plain = try makeDatabase("plain.db", "CREATE TABLE t (a)")
    let failure = #expect(throws: FerryError.self) { try StoreTemplate(path: plain) }
    #expect(failure?.reason == .database(.notAStore))
    let none = #expect(throws: FerryError.self) {
      try Conversion(to: .sqlite).convert(
        MemoryInput(Array("[]".utf8)), named: nil, to: MemoryOutput(), named: "New.storedata")
    }
    #expect(none?.reason == .database(.needsTemplate))
  }

  // MARK: Data in files of its own

  @Test func `Objects have their data from the files in which Core Data keeps it`() async throws {
    let folder = TemporaryDirectory.current
    let path = try copy(try await LibraryStore.make(), with: library)
    let name = "0D3C7E58-1E1B-4B39-8C5A-52D4F9B2E9AA"
    let connection = try SQLiteConnection(changing: path, budget: Budget())
    try connection.execute("UPDATE ZAUTHOR SET ZPHOTO = x'02' || '\(name)' || x'00' WHERE Z_PK = 7")
    try connection.execute("UPDATE ZAUTHOR SET ZPHOTO = CAST(ZPHOTO AS BLOB)")
    let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
    let reference = [UInt8(2)] + Array(name.utf8) + [0]
    func photo() throws -> (value: Value?, losses: [String]) {
      let result = try Conversion(to: .archive).convert(FileInput(path: path), to: MemoryOutput())
      let losses = result.losses.listed.filter { $0.kind == .externalData }.map { "\($0.path)" }
      return (try read(path)["Author"]?[0]?["photo"], losses)
    }
    // No file, and then one that is somewhere else.
    #expect(try photo() == (.data(reference), ["Author[0].photo"]))
    try folder.makeDirectory("elsewhere")
    try folder.write("elsewhere/\(name)", "stolen")
    try folder.makeDirectory(".\(stem)_SUPPORT")
    let data = folder.path(".\(stem)_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: folder.path("elsewhere"))
    #expect(try photo() == (.data(reference), ["Author[0].photo"]))
    try FileManager.default.removeItem(atPath: data)
    try folder.makeDirectory(".\(stem)_SUPPORT/_EXTERNAL_DATA")
    let file = ".\(stem)_SUPPORT/_EXTERNAL_DATA/\(name)"
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(file), withDestinationPath: folder.path("elsewhere/\(name)"))
    #expect(try photo() == (.data(reference), ["Author[0].photo"]))
    try FileManager.default.removeItem(atPath: folder.path(file))
    try folder.write(file, "a picture")
    #expect(try photo() == (.data(Array("a picture".utf8)), []))
    // It is a part of the copy.
    let copied = try copy(path, with: json(path)).path
    #expect(try read(copied)["Author"]?[0]?["photo"] == .data(Array("a picture".utf8)))
    var small = Conversion(to: .json)
    small.reading.budget.tokenBytes = 4000
    try folder.write(file, String(repeating: "x", count: 4001))
    let failure = #expect(throws: FerryError.self) {
      try small.convert(FileInput(path: path), to: MemoryOutput())
    }
    #expect(failure?.reason == .overBudget(.tokenBytes(4000)))
  }
}
