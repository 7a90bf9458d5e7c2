import Foundation
import TestSupport

/// A Core Data store with every kind of attribute and relationship, made as an app of this model would make it:
///
///     Author   name (mandatory), rating (16 bits, 3 of itself), active, price, born, id, photo (perhaps in a file);
///              agent (one, who has one author), works (many, in order), tags (many, who have many)
///     Work     title, author, next (one, without a way back); Novel and Poem (lines; editor, an agent, who has many) inherit from it
enum LibraryStore {
  /// Makes the store, without an object in it.
  static func make(_ name: String = "Empty.storedata") async throws -> String {
    let path = TemporaryDirectory.current.path(name)
    let script = URL(filePath: exampleStore).deletingLastPathComponent().appending(path: "people-store.py")
      .path
    let run = try await Peer.run("python3", ["-c", describing + code, script, path])
    guard run.succeeded else { throw Failed(words: run.errors) }
    return path
  }

  struct Failed: Error { let words: String }

  /// Functions that describe a model. What `describe` gives is the content of a store's model cache.
  static let describing = """
    import importlib.util, plistlib, sqlite3, sys, zlib
    spec = importlib.util.spec_from_file_location('example', sys.argv[1])
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    archive = example.Archive()
    root = archive.add({})
    # name: (type, {what else the description has})
    def attribute(kind, **more): return (None, kind, more)
    def to_one(entity, inverse=None): return (entity, 1, inverse)
    def to_many(entity, inverse): return (entity, 0, inverse)
    def describe(model):
      entities = {name: archive.add({}) for name in model}
      for name, properties in model.items():
        described = {}
        for key, (entity, kind, more) in properties.items():
          d = {'NSPropertyName': archive.add(key), 'NSEntity': entities[name], 'NSIsOptional': True}
          if entity:
            d |= {'_NSDestinationEntityName': archive.add(entity), 'NSMaxCount': kind,
                  '$class': archive.type('NSRelationshipDescription', 'NSPropertyDescription')}
            if more: d['_NSInverseRelationshipName'] = archive.add(more)
          else:
            d |= {'NSAttributeType': kind, '$class': archive.type('NSAttributeDescription')} | more
          if not d['NSIsOptional']: del d['NSIsOptional']
          described[key] = archive.add(d)
        archive.objects[entities[name].data].update({
          'NSEntityName': archive.add(name), 'NSProperties': archive.add(archive.dictionary(described)),
          '$class': archive.type('NSEntityDescription')})
      archive.objects[root.data].update({
        'NSEntities': archive.add(archive.dictionary(entities)), '$class': archive.type('NSManagedObjectModel')})
      squeeze = zlib.compressobj(wbits=-15)
      return squeeze.compress(archive.bytes(root)) + squeeze.flush()
    """

  private static let code = """

    model = describe({
      'Agent': {'name': attribute(700), 'author': to_one('Author', 'agent'), 'poems': to_many('Poem', 'editor')},
      'Author': {
        'name': attribute(700, NSIsOptional=False), 'rating': attribute(100, NSDefaultValue=3),
        'active': attribute(800, NSDefaultValue=True), 'price': attribute(400), 'born': attribute(900),
        'id': attribute(1100), 'photo': attribute(1000, NSFlagsKey=4), 'agent': to_one('Agent', 'author'),
        'works': to_many('Work', 'author'), 'tags': to_many('Tag', 'authors')},
      'Tag': {'word': attribute(700), 'authors': to_many('Author', 'tags')},
      'Work': {'title': attribute(700), 'author': to_one('Author', 'works'), 'next': to_one('Work')},
      'Novel': {}, 'Poem': {'lines': attribute(300), 'editor': to_one('Agent', 'poems')},
    })
    own = 'Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER'
    c = sqlite3.connect(sys.argv[2])
    c.executescript(f'''
      PRAGMA journal_mode = WAL;
      CREATE TABLE ZAGENT ({own}, ZAUTHOR INTEGER, ZNAME VARCHAR);
      CREATE TABLE ZAUTHOR ({own}, ZACTIVE INTEGER, ZRATING INTEGER, ZAGENT INTEGER, ZPRICE DECIMAL,
        ZBORN TIMESTAMP, ZNAME VARCHAR, ZID BLOB, ZPHOTO BLOB);
      CREATE TABLE ZTAG ({own}, ZWORD VARCHAR);
      CREATE TABLE Z_2TAGS (Z_2AUTHORS INTEGER, Z_3TAGS INTEGER, Z_FOK_3TAGS INTEGER,
        PRIMARY KEY (Z_2AUTHORS, Z_3TAGS));
      CREATE TABLE ZWORK ({own}, ZLINES INTEGER, ZAUTHOR INTEGER, Z_FOK_AUTHOR INTEGER, ZNEXT INTEGER,
        Z4_NEXT INTEGER, ZEDITOR INTEGER, ZTITLE VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'D8D2C1A0-3D5B-4B0A-9F57-0B1E6F0E3C11', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Agent', 0, 0), (2, 'Author', 0, 0), (3, 'Tag', 0, 0), (4, 'Work', 0, 0),
        (5, 'Novel', 4, 0), (6, 'Poem', 4, 0);
      CREATE TABLE ATRANSACTION ({own});
      INSERT INTO ATRANSACTION VALUES (1, 16002, 1);
      INSERT INTO Z_PRIMARYKEY VALUES (16002, 'TRANSACTION', 0, 1);
      ''')
    c.execute('INSERT INTO Z_MODELCACHE VALUES (?)', (model,))
    c.commit()
    c.close()
    """
}
