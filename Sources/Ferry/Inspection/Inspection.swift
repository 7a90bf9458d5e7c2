/// The result of inspecting a file: its format, statistics of its contents, and its defects.
///
///     let inspection = try Inspection(reading: FileInput(path: "people.pplgrp"), named: "people.pplgrp")
///     inspection.format                        // .archive
///     inspection.archive?.classes[0].name      // "Person"
///     inspection.archive?.graph.references(from: 1)
///
/// The properties that apply to the format are set: for an archive in a binary file, `archive` and `table`;
/// for a JSON text, `values`; for an XML document, `document`. An inspection stores references, numbers and
/// names, but no contents, and only a limited number of names and source locations. Its memory is at most
/// proportional to the file's size, and constant for formats that are read as streams.
public struct Inspection: Hashable, Sendable {
  /// The format that was detected or given.
  public internal(set) var format: Format
  /// The number of bytes in the input.
  public internal(set) var byteCount: Int
  /// The compressions of the file, outermost first. The other properties describe the decompressed file.
  public internal(set) var compressions: [Compression] = []
  /// True if the file is signed data, whose contents the other properties describe. The signature is not verified.
  public internal(set) var isSigned = false
  /// The encoding of a text: `UTF-8`, or the encoding that the document declares. Nil for a binary file.
  public internal(set) var encoding: String?
  /// Statistics of the values in JSON and property lists, and in XML that was written with types.
  public internal(set) var values: Values?
  /// Statistics of the elements of an XML document.
  public internal(set) var document: Document?
  /// Statistics of the object table of a binary file.
  public internal(set) var table: ObjectTable?
  /// Statistics of the objects and classes of a keyed archive.
  public internal(set) var archive: Archive?
  /// The tables of a database.
  public internal(set) var store: Store?
  /// The files found inside data values.
  public internal(set) var blobs = Blobs()
  /// Defects and oddities that did not prevent the inspection.
  public internal(set) var warnings = Warnings()

  init(_ format: Format, byteCount: Int, encoding: String? = nil) {
    self.format = format
    self.byteCount = byteCount
    self.encoding = encoding
  }
}

extension Inspection {
  /// Statistics of the values in JSON and property lists.
  public struct Values: Hashable, Sendable {
    /// The kind of the outermost value, or nil if it could not be read.
    public internal(set) var top: ValueKind?
    /// The number of elements in the outermost array or set, or of records in JSON Lines.
    public internal(set) var records: Int?
    /// The number of values of each kind, not counting keys. In a binary file, each object counts once
    /// regardless of the number of references to it.
    public internal(set) var kinds = KindCounts()
    /// The maximum nesting depth of arrays, sets and dictionaries: 2 for `[[1]]`.
    public internal(set) var depth = 0
    /// The keys of all dictionaries, the most frequent first.
    public internal(set) var keys: [Key] = []
    /// True if `keys` lists all keys.
    public internal(set) var hasAllKeys = true
    /// The classes of objects in formats other than keyed archives. See `archive` for those.
    public internal(set) var classes: [Class] = []
  }

  /// A key, with the kinds of its values.
  public struct Key: Hashable, Sendable {
    /// The name of the key. A long name is truncated and ends in an ellipsis.
    public internal(set) var name: String
    /// The number of dictionaries, or of objects of the class, that have the key.
    public internal(set) var count: Int
    /// The kinds of the values that are not objects of a class.
    public internal(set) var kinds: KindCounts
    /// The kinds of the values that are separate objects of an archive, rather than inline; nil outside of
    /// archives.
    public internal(set) var objects: KindCounts?
    /// The classes of the values that are objects.
    public internal(set) var classes: Tally<String>

    /// The types of the values by name, most frequent first: `string`, `integer`, `NSMutableArray`. In an
    /// archive, unusual storage is marked: a number that is a separate object is `integer (object)`, and any
    /// other value stored inline is `string (in place)`.
    public var types: [(name: String, count: Int)] {
      var types: [(name: String, count: Int)] = []
      for (kind, count) in kinds.present { types += self.types(of: kind, count: count) }
      types += classes.entries.map { (name: $0.subject, count: $0.count) }
      return types.sorted { $0.count > $1.count }
    }

    private func types(of kind: ValueKind, count: Int) -> [(name: String, count: Int)] {
      guard let objects = objects?[kind], kind != .null else { return [(kind.rawValue, count)] }
      let name = kind.rawValue
      let names = kind.isNumber ? (name, "\(name) (object)") : ("\(name) (in place)", name)
      return [(names.0, count - objects), (names.1, objects)].filter { $0.1 > 0 }
    }
  }

  /// A class, with the number of its objects and their keys.
  public struct Class: Hashable, Sendable {
    /// The name of the class.
    public internal(set) var name: String
    /// The names of the superclasses in the file, nearest first.
    public internal(set) var superclasses: [String]
    /// The fallback classes that a reader may use if it does not have the class (`$classhints`).
    public internal(set) var hints: [String]
    /// The number of objects of the class.
    public internal(set) var count: Int
    /// The keys of the objects, most frequent first.
    public internal(set) var keys: [Key]
  }

  /// Statistics of the elements of an XML document.
  public struct Document: Hashable, Sendable {
    /// The name of the root element as written.
    public internal(set) var root: String
    /// The number of elements.
    public internal(set) var elementCount = 0
    /// The maximum nesting depth of elements.
    public internal(set) var depth = 0
    /// The declared namespaces, each with its prefixes. The default namespace has the prefix `""`.
    public internal(set) var namespaces: [Namespace] = []
    /// The elements by name, most frequent first.
    public internal(set) var elements: [Element] = []
    /// True if `elements` and `namespaces` list all names.
    public internal(set) var hasAllNames = true
    /// The number of comments.
    public internal(set) var comments = 0
    /// The number of processing instructions.
    public internal(set) var processingInstructions = 0
    /// True if the document has a document type declaration.
    public internal(set) var hasDoctype = false

    /// A namespace and its prefixes.
    public struct Namespace: Hashable, Sendable {
      /// The name of the namespace.
      public internal(set) var name: String
      /// The prefixes, with `""` for the default namespace.
      public internal(set) var prefixes: [String]
    }

    /// Statistics of the elements with one name.
    public struct Element: Hashable, Sendable {
      /// The name as written.
      public internal(set) var name: String
      /// The number of elements.
      public internal(set) var count: Int
      /// The range of the elements' depths. The root has the depth 1.
      public internal(set) var depths: ClosedRange<Int>
      /// The names of the elements' attributes as written, with their counts.
      public internal(set) var attributes: Tally<String>
      /// The number of elements with text other than white space.
      public internal(set) var withText: Int
    }
  }

  /// Statistics of the object table of a binary file.
  public struct ObjectTable: Hashable, Sendable {
    /// The number of objects.
    public internal(set) var objectCount: Int
    /// The size of an entry of the offset table, in bytes.
    public internal(set) var offsetWidth: Int
    /// The size of an object reference, in bytes.
    public internal(set) var referenceWidth: Int
    /// The number of integers by their size in bytes.
    public internal(set) var integerWidths = Tally<Int>()
    /// The number of strings stored as ASCII.
    public internal(set) var asciiStrings = 0
    /// The number of strings stored as UTF-16.
    public internal(set) var utf16Strings = 0
    /// The number of objects that cannot be reached from the root.
    public internal(set) var orphans = 0
    /// The number of arrays, sets and dictionaries with more than one reference.
    public internal(set) var sharedCollections = 0
    /// The number of arrays, sets and dictionaries that contain themselves, directly or through others.
    public internal(set) var cyclicCollections = 0
  }

  /// Statistics of the objects and classes of a keyed archive.
  public struct Archive: Hashable, Sendable {
    /// True if archives in the format of the file have an archiver and a version. False for a NIBArchive.
    package internal(set) var hasArchiver = true
    /// The class of the archiver, usually `NSKeyedArchiver`, or nil if the archive does not name it.
    public internal(set) var archiver: String?
    /// The archive version, 100000 in all known archives, or nil if it is missing or not an integer.
    public internal(set) var version: Int128?
    /// The entries of `$top`.
    public internal(set) var roots: [Root] = []
    /// The entries beside `$version`, `$archiver`, `$top` and `$objects`.
    public internal(set) var otherEntries: [OtherEntry] = []
    /// The number of objects in `$objects`, including `$null` and class descriptions.
    public internal(set) var objectCount = 0
    /// The number of objects that have a class.
    public internal(set) var instances = 0
    /// The number of class descriptions.
    public internal(set) var descriptions = 0
    /// The number of strings, numbers and data values that are objects without a class, by kind.
    public internal(set) var bareValues = KindCounts()
    /// The number of objects that no root can reach, including class descriptions.
    public internal(set) var unreachable = 0
    /// The number of objects on the longest of the shortest paths from a root to an object.
    public internal(set) var depth = 0
    /// The number of groups of objects that refer to each other in a cycle.
    public internal(set) var cycles = 0
    /// The number of objects that refer to themselves, directly or through others.
    public internal(set) var objectsOnCycles = 0
    /// The number of objects with a class that are referenced more than once.
    public internal(set) var sharedObjects = 0
    /// The number of values without a class that are referenced more than once.
    public internal(set) var sharedValues = 0
    /// The classes, most objects first.
    public internal(set) var classes: [Class] = []
    /// True if the lists of keys of all classes are complete.
    public internal(set) var hasAllKeys = true
    /// The references between objects.
    public internal(set) var graph = ObjectGraph()

    /// An entry beside the objects.
    public struct OtherEntry: Hashable, Sendable {
      /// The key.
      public internal(set) var name: String
      /// The kind of the value.
      public internal(set) var kind: ValueKind
    }

    /// A named value in `$top`.
    public struct Root: Hashable, Sendable {
      /// The name, usually `root`.
      public internal(set) var name: String
      /// The kind of the value.
      public internal(set) var kind: ValueKind
      /// The class, if the value is an object with a class.
      public internal(set) var className: String?
      /// The number of the object in `$objects`, or nil if the value is stored inline in `$top`.
      public internal(set) var object: Int?
    }
  }
}
