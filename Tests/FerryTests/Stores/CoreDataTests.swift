import Foundation
import TestSupport
import Testing

@testable import Ferry

/// The example of the People Groups model.
let exampleStore = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../Examples/People.storedata").standardizedFileURL.path

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite)) struct `Core Data stores` {
  /// A store of these entities, `(name, super)`, and statements.
  private func makeStore(_ entities: [(String, Int)], _ statements: String...) throws -> String {
    let path = TemporaryDirectory.current.path("test.db")
    let connection = try SQLiteConnection(creating: path)
    try connection.execute(
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
    try connection.execute(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    for (index, entity) in entities.enumerated() {
      try connection.execute("INSERT INTO Z_PRIMARYKEY VALUES (\(index + 1), '\(entity.0)', \(entity.1), 0)")
    }
    for statement in statements { try connection.execute(statement) }
    return path
  }

  @Test func `A store is read entity by entity, with the names and types of its model`() throws {
    let value = try read(exampleStore)
    #expect(
      value["Group"] == [
        [
          "objectID": "Group/p1", "timestamp": .date(secondsSince2001: 423_307_800), "name": "Pep Boys",
          "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "people": ["Person/p1", "Person/p2"],
        ],
        [
          "objectID": "Group/p2", "timestamp": .date(secondsSince2001: 423_307_860.5), "name": "Empty Group",
          "uuid": "0D3C7E58-1E1B-4B39-8C5A-52D4F9B2E9AA", "people": [],
        ],
      ])
    #expect(
      value["Person"]?[1] == [
        "objectID": "Person/p2", "group": "Group/p1", "timestamp": .date(secondsSince2001: 423_307_802.25),
        "firstName": "Moe", "lastName": "Strauss", "card": .null,
      ])
    #expect(value["Person"]?[2]?["group"] == .null)
    #expect(try read(exampleStore, table: "person") == value["Person"])
  }

  @Test func `The transformable attributes of a store are archives`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.table = "Person"
    conversion.reading.expandsData = true
    let json = try conversion.convert(FileInput(path: exampleStore).readAll()).bytes
    #expect(try Value(reading: MemoryInput(json))[0]?["card"] == ["city": "Philadelphia", "since": 1921])
  }

  @Test func `A store reports that its metadata is left out`() throws {
    let report = try Conversion(to: .archive).convert(FileInput(path: exampleStore).readAll()).report
    #expect(report.losses.counts.map(\.kind) == [.storeMetadata])
    var conversion = Conversion(to: .archive)
    conversion.reading.table = "Person"
    #expect(try conversion.convert(FileInput(path: exampleStore).readAll()).report.losses.isEmpty)
  }

  @Test func `A store gives a schema the entity of its class`() throws {
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = .person
    let (archive, report) = try conversion.convert(FileInput(path: exampleStore).readAll())
    #expect(report.losses.counts.map(\.kind) == [.storeMetadata, .besideRecords])
    let people = try Archived.value(archive)
    guard case .object(let person)? = people[0] else { return #expect(Bool(false), "\(people)") }
    #expect(person.type.name == "Person")
    #expect(person.content["first"] == "Manny")
  }

  @Test func `A store without a model has lowercase names, and those of a schema`() throws {
    let path = try makeStore(
      [("Person", 0)],
      "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFIRSTNAME VARCHAR, "
        + "ZLASTNAME VARCHAR, ZBORN TIMESTAMP, ZGROUP INTEGER)",
      "INSERT INTO ZPERSON VALUES (1, 1, 1, 'Ada', 'Lovelace', -5856710400, 7)")
    #expect(
      try read(path) == [
        [
          "objectID": "Person/p1", "firstname": "Ada", "lastname": "Lovelace",
          "born": .date(secondsSince2001: -5_856_710_400), "group": 7,
        ]
      ])
    var conversion = Conversion(to: .json)
    conversion.reading.schema = .person
    let json = try conversion.convert(FileInput(path: path).readAll()).bytes
    #expect(String(decoding: json, as: UTF8.self).contains(#""firstName":"Ada","lastName":"Lovelace""#))
  }

  @Test func `Entities that inherit are told apart, and no row is lost`() throws {
    let path = try makeStore(
      [("Folder", 0), ("Trash", 1), ("Deep", 2), ("Empty", 1)],
      "CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, Z1_PARENT INTEGER)",
      "INSERT INTO ZFOLDER VALUES (1, 1, 1, NULL, NULL), (2, 2, 1, 1, 1), (3, 3, 1, 2, 2), (4, NULL, 1, 9, 99), (5, 77, 1, 3, 3)"
    )
    #expect(
      try read(path) == [
        "Folder": [
          ["objectID": "Folder/p1", "parent": .null], ["objectID": "Folder/p4", "parent": "/p9"],
          ["objectID": "Folder/p5", "parent": "Deep/p3"],
        ],
        "Trash": [["objectID": "Trash/p2", "parent": "Folder/p1"]],
        "Deep": [["objectID": "Deep/p3", "parent": "Trash/p2"]], "Empty": [],
      ])
  }

  @Test func `Relationships to many are read from tables of their own, in their order`() throws {
    let path = try makeStore(
      [("Chat", 0), ("Message", 0), ("Person", 0)],
      "CREATE TABLE ZCHAT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
      "CREATE TABLE ZMESSAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
      "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
      "INSERT INTO ZCHAT VALUES (1, 1, 1), (3, 1, 1)", "INSERT INTO ZMESSAGE VALUES (1, 2, 1), (2, 2, 1)",
      "INSERT INTO ZPERSON VALUES (1, 3, 1), (2, 3, 1)",
      "CREATE TABLE Z_1MESSAGES (Z_1CHAT INTEGER, Z_2MESSAGES INTEGER, Z_FOK_MESSAGES INTEGER)",
      "INSERT INTO Z_1MESSAGES VALUES (1, 1, 20), (1, 2, 10), (2, 1, 1), (3, 2, 1), (NULL, 1, 1)",
      "CREATE TABLE Z_3FRIENDS (Z_3FRIENDSINVERSE INTEGER, Z_3FRIENDS INTEGER)",
      "INSERT INTO Z_3FRIENDS VALUES (1, 2), (1, 9)", "CREATE TABLE extra (a)", "INSERT INTO extra VALUES (1)"
    )
    #expect(
      try read(path) == [
        "Chat": [
          ["objectID": "Chat/p1", "messages": ["Message/p2", "Message/p1"]],
          ["objectID": "Chat/p3", "messages": ["Message/p2"]],
        ],
        "Message": [
          ["objectID": "Message/p1", "chat": ["Chat/p1", "Chat/p2"]],
          ["objectID": "Message/p2", "chat": ["Chat/p1", "Chat/p3"]],
        ],
        "Person": [
          ["objectID": "Person/p1", "friends": ["Person/p2", "Person/p9"], "friendsinverse": []],
          ["objectID": "Person/p2", "friends": [], "friendsinverse": ["Person/p1"]],
        ],
        "extra": [["a": 1]],
      ])
  }

  @Test func `Entities that inherit from each other in a cycle are read`() throws {
    let path = try makeStore(
      [("A", 2), ("B", 1)], "CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
      "CREATE TABLE ZB (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
      "INSERT INTO ZA VALUES (1, 2, 1)", "INSERT INTO ZB VALUES (1, 1, 1)")
    #expect(try read(path) == ["A": [["objectID": "A/p1"]], "B": [["objectID": "B/p1"]]])
  }

  @Test func `A store is inspected`() throws {
    let inspection = try Inspection(reading: FileInput(path: exampleStore))
    let store = try #require(inspection.store)
    #expect(store.isCoreData)
    #expect(store.uuid == "6A1C2F60-6E0B-4E43-9E0F-6F2C8A3C7D11")
    #expect(store.tables.map(\.name) == ["Group", "Person"])
    #expect(store.tables.map(\.rows) == [2, 3])
    #expect(store.tables[1].table == "ZPERSON")
    #expect(
      store.tables[1].columns.map { "\($0.name) \($0.type ?? "")" } == [
        "group Group", "timestamp TIMESTAMP", "firstName VARCHAR", "lastName VARCHAR", "card BLOB",
      ])
    #expect(store.tables[0].columns.last == Inspection.Store.Column(name: "people", type: "[Person]"))
    #expect(inspection.blobs.counts[.archive] == 1)
    #expect(inspection.byteCount == (try FileInput(path: exampleStore).readAll().count))
  }

  @Test func `The example's script makes the example store`() async throws {
    let path = TemporaryDirectory.current.path("made.storedata")
    let script = URL(filePath: exampleStore).deletingLastPathComponent().appending(path: "people-store.py")
      .path
    let run = try await Peer.run("python3", [script, path])
    #expect(run.succeeded, "\(run.errors)")
    #expect(try read(path) == (try read(exampleStore)))
  }
}

@Suite struct `DEFLATE data` {
  private static let samples: [[UInt8]] = [
    [], [1], Array("a".utf8), Array(String(repeating: "abc", count: 1000).utf8),
    (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31) },
    Array((0..<400).map { "line \($0 % 17)\n" }.joined().utf8),
  ]

  @Test(arguments: [0, 1, 6, 9])
  func `Data that zlib has deflated is inflated`(_ level: Int) async throws {
    for sample in Self.samples {
      let code = """
        import sys, zlib
        c = zlib.compressobj(\(level), wbits=-15)
        sys.stdout.buffer.write(c.compress(sys.stdin.buffer.read()) + c.flush())
        """
      let compressed = try await Peer.python(code, input: sample).output
      #expect(Zlib.inflate(compressed, wrapping: .none, limit: 1 << 20) == sample)
      let some = Array(stride(from: 0, to: compressed.count, by: 1 + compressed.count / 200))
      try Damage(to: compressed, lengths: some, offsets: some, change: .flipping([0x55])).check {
        bytes in
        guard let found = Zlib.inflate(bytes, wrapping: .none, limit: 1 << 20) else { throw Damage.Refusal() }
        #expect(found.count <= 1 << 20)
      }
      if !sample.isEmpty {
        #expect(Zlib.inflate(compressed, wrapping: .none, limit: sample.count - 1) == nil)
      }
    }
  }
}
