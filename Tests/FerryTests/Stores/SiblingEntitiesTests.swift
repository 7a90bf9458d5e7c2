import Foundation
import TestSupport
import Testing

@testable import Ferry

/// A store whose model has properties of one name in entities that share a table, as the notes of an app have them:
///
///     Object      settings
///     Attachment  title, note (whose attachments it is)        Inline   title, note (whose inlineAttachments it is)
///     Note        title, title1, settings1, attachments, inlineAttachments, tags (many, who have many)
private enum NotesStore {
  static func make() async throws -> String {
    let path = TemporaryDirectory.current.path("Notes.storedata")
    let script = URL(filePath: exampleStore).deletingLastPathComponent().appending(path: "people-store.py")
    let run = try await Peer.run("python3", ["-c", LibraryStore.describing + code, script.path, path])
    guard run.succeeded else { throw LibraryStore.Failed(words: run.errors) }
    return path
  }

  private static let code = """

    model = describe({
      'Object': {'settings': attribute(700)},
      'Attachment': {'title': attribute(700), 'cached': attribute(700, NSIsTransient=True),
        'note': to_one('Note', 'attachments')},
      'Inline': {'title': attribute(700), 'cached': attribute(700), 'note': to_one('Note', 'inlineAttachments')},
      'Note': {'title': attribute(700), 'title1': attribute(700), 'settings1': attribute(700),
        'attachments': to_many('Attachment', 'note'), 'inlineAttachments': to_many('Inline', 'note'),
        'tags': to_many('Tag', 'tagged'), 'inlineTags': to_many('Tag', 'inlineTagged')},
      'Tag': {'settings': attribute(700), 'tagged': to_many('Note', 'tags'),
        'inlineTagged': to_many('Note', 'inlineTags')},
    })
    c = sqlite3.connect(sys.argv[2])
    c.executescript('''
      CREATE TABLE ZOBJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNOTE INTEGER,
        Z_FOK_NOTE INTEGER, ZNOTE1 INTEGER, Z_FOK_NOTE1 INTEGER, ZSETTINGS VARCHAR, ZTITLE VARCHAR, ZTITLE1 VARCHAR,
        ZCACHED VARCHAR, ZSETTINGS1 VARCHAR, ZTITLE2 VARCHAR, ZTITLE11 VARCHAR);
      CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSETTINGS VARCHAR);
      CREATE TABLE Z_4TAGS (Z_4TAGGED INTEGER, Z_5TAGS INTEGER, Z_FOK_TAGS INTEGER,
        PRIMARY KEY (Z_4TAGGED, Z_5TAGS));
      CREATE TABLE Z_4INLINETAGS (Z_4INLINETAGGED INTEGER, Z_5INLINETAGS INTEGER, Z_FOK_INLINETAGS INTEGER,
        PRIMARY KEY (Z_4INLINETAGGED, Z_5INLINETAGS));
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'D8D2C1A0-3D5B-4B0A-9F57-0B1E6F0E3C11', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Object', 0, 4), (2, 'Attachment', 1, 0), (3, 'Inline', 1, 0),
        (4, 'Note', 1, 0), (5, 'Tag', 0, 2);
      INSERT INTO ZOBJECT (Z_PK, Z_ENT, Z_OPT, ZSETTINGS, ZTITLE, ZNOTE, Z_FOK_NOTE)
        VALUES (1, 2, 1, 'a', 'first', 4, 1024);
      INSERT INTO ZOBJECT (Z_PK, Z_ENT, Z_OPT, ZTITLE1, ZCACHED, ZNOTE1, Z_FOK_NOTE1)
        VALUES (2, 3, 1, 'second', 'kept', 4, 1024), (3, 3, 1, NULL, NULL, NULL, NULL);
      INSERT INTO ZOBJECT (Z_PK, Z_ENT, Z_OPT, ZSETTINGS, ZSETTINGS1, ZTITLE2, ZTITLE11)
        VALUES (4, 4, 1, 's', 's1', 'third', 'fourth');
      INSERT INTO ZTAG VALUES (1, 5, 1, NULL), (2, 5, 1, 't');
      INSERT INTO Z_4TAGS VALUES (4, 1, 2048), (4, 2, 1024);
      INSERT INTO Z_4INLINETAGS VALUES (4, 1, 1024), (4, 2, 2048);
      ''')
    c.execute('INSERT INTO Z_MODELCACHE VALUES (?)', (model,))
    c.commit()
    """

  static let objects: Value = [
    "Object": [],
    "Attachment": [["objectID": "Attachment/p1", "note": "Note/p4", "settings": "a", "title": "first"]],
    "Inline": [
      [
        "objectID": "Inline/p2", "note": "Note/p4", "settings": .null, "title": "second", "cached": "kept",
      ],
      ["objectID": "Inline/p3", "note": .null, "settings": .null, "title": .null, "cached": .null],
    ],
    "Note": [
      [
        "objectID": "Note/p4", "settings": "s", "settings1": "s1", "title": "third", "title1": "fourth",
        "attachments": ["Attachment/p1"], "inlineAttachments": ["Inline/p2"],
        "tags": ["Tag/p2", "Tag/p1"], "inlineTags": ["Tag/p1", "Tag/p2"],
      ]
    ],
    "Tag": [
      ["objectID": "Tag/p1", "settings": .null, "inlineTagged": ["Note/p4"], "tagged": ["Note/p4"]],
      ["objectID": "Tag/p2", "settings": "t", "inlineTagged": ["Note/p4"], "tagged": ["Note/p4"]],
    ],
  ]
}

@Suite(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite))
struct `Entities of one table with properties of one name` {
  @Test func `Entities of one table have the properties of their own by the names of the model`() async throws
  {
    #expect(try read(try await NotesStore.make()).sortingKeys == NotesStore.objects.sortingKeys)
  }

  @Test(arguments: [Format.json, .archive])
  func `Objects of entities of one table go out and come back into a copy of their store`(_ format: Format)
    async throws
  {
    let store = try await NotesStore.make()
    let file = MemoryOutput()
    _ = try Conversion(to: format).convert(FileInput(path: store), to: file)
    var conversion = Conversion(to: .sqlite)
    conversion.writing.template = try StoreTemplate(path: store)
    let copy = try conversion.convert(file.bytes).bytes
    #expect(try read(copy).sortingKeys == NotesStore.objects.sortingKeys)
    // Row by row, the order of lists among them.
    let path = TemporaryDirectory.current.path("copy.storedata")
    try Data(copy).write(to: URL(filePath: path))
    let (before, after) = (try read(store, representation: .raw), try read(path, representation: .raw))
    for table in ["ZOBJECT", "ZTAG", "Z_4TAGS", "Z_4INLINETAGS"] {
      #expect(after[table] == before[table], "\(table)")
    }
  }

  @Test func `Entities of one table use the real names of columns if a store was made by another rule`()
    throws
  {
    func property(_ name: String) -> CoreDataModel.Property {
      CoreDataModel.Property(
        name: name, kind: .attribute(.string), isOptional: true, defaultValue: nil, isExternal: false)
    }
    let entities: [(number: Int64, own: [CoreDataModel.Property])] = [
      (1, [property("settings")]), (2, [property("settings")]), (3, [property("settings1")]),
    ]
    func columns(_ stored: [String], _ keepingNames: Bool) -> [String?] {
      let names = CoreDataColumnNames(entities, in: stored, keepingNames: keepingNames)
      return [
        names.column(of: "settings", ofEntity: 1), names.column(of: "settings", ofEntity: 2),
        names.column(of: "settings1", ofEntity: 3),
      ]
    }
    let byRule = ["Z_PK", "ZSETTINGS", "ZSETTINGS1", "ZSETTINGS11"]
    #expect(columns(byRule, false) == ["ZSETTINGS", "ZSETTINGS1", "ZSETTINGS11"])
    let byName = ["Z_PK", "ZSETTINGS", "ZSETTINGS1", "ZSETTINGS2"]
    #expect(columns(byName, false) == ["ZSETTINGS", "ZSETTINGS1", nil])
    #expect(columns(byName, true) == ["ZSETTINGS", "ZSETTINGS2", "ZSETTINGS1"])
  }
}

extension Value {
  /// The value with the keys of its dictionaries in order, to be compared whatever the order of columns.
  fileprivate var sortingKeys: Value {
    switch self {
    case .array(let elements): .array(elements.map(\.sortingKeys))
    case .dictionary(let entries):
      .dictionary(
        entries.sorted { "\($0.key)" < "\($1.key)" }.reduce(into: KeyedValues()) {
          $0[$1.key] = $1.value.sortingKeys
        })
    default: self
    }
  }
}
