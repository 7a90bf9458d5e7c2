/// The result of inspecting a file: its format, its contents in numbers, and its defects.
///
///     let inspection = try Inspection(reading: FileInput(path: "people.pplgrp"), named: "people.pplgrp")
///     inspection.format                        // .archive
///     inspection.archive?.classes[0].name      // "Person"
///     inspection.archive?.graph.references(from: 1)
///
/// Each format fills the properties that apply to it: an archive in a binary file has `archive` and `table`,
/// a JSON text has `values`, an XML document has `document`. An inspection keeps references, numbers and
/// names, but no content, and a limited number of names and source locations. Its memory is at most a
/// multiple of the file's size, and constant for formats that are read as streams.
public struct Inspection: Sendable {
  /// The format, detected or given.
  public internal(set) var format: Format
  /// The number of bytes in the input.
  public internal(set) var byteCount: Int
  /// The encoding of a text: `UTF-8`, or the declared encoding of the document; nil for a binary file.
  public internal(set) var encoding: String?
  /// The values of JSON and property lists.
  public internal(set) var values: Values?
  /// The elements of an XML document.
  public internal(set) var document: Document?
  /// The storage of objects in a binary file.
  public internal(set) var table: ObjectTable?
  /// The objects and classes of a keyed archive.
  public internal(set) var archive: Archive?
  /// The tables of a database.
  public internal(set) var store: Store?
  /// Files inside data values.
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
  /// The values of JSON and property lists.
  public struct Values: Sendable {
    /// The kind of the outermost value; nil if it could not be read.
    public internal(set) var top: ValueKind?
    /// The number of elements in the outermost array or set, or of records in JSON Lines.
    public internal(set) var records: Int?
    /// The number of values of each kind, without keys. In a binary file each object counts once, however
    /// many references it has.
    public internal(set) var kinds = KindCounts()
    /// The nesting depth of arrays, sets and dictionaries: 2 for `[[1]]`.
    public internal(set) var depth = 0
    /// The keys of all dictionaries, the most frequent first.
    public internal(set) var keys: [Key] = []
    /// True if `keys` lists all keys.
    public internal(set) var hasAllKeys = true
    /// The classes of objects, for formats that send classes with their values. Those of keyed archives are
    /// in `archive`.
    public internal(set) var classes: [Class] = []
  }

  /// A key, with the kinds of its values.
  public struct Key: Sendable {
    /// The name of the key. A long name is cut off with an ellipsis.
    public internal(set) var name: String
    /// The number of dictionaries, or objects of a class, that have the key.
    public internal(set) var count: Int
    /// The kinds of the values, without objects of classes.
    public internal(set) var kinds: KindCounts
    /// The kinds of those values that are objects of the archive, and not inline in the object with the key;
    /// nil outside archives.
    public internal(set) var objects: KindCounts?
    /// The classes of the values that are objects.
    public internal(set) var classes: Tally<String>

    /// The types of the values by name, most frequent first: `string`, `integer`, `NSMutableArray`. A number
    /// that is an object of an archive, and any other value that is stored inline, is marked: `integer
    /// (object)`, `string (in place)`.
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

  /// A class, its objects and their keys.
  public struct Class: Sendable {
    /// The name of the class.
    public internal(set) var name: String
    /// The superclasses in the file, nearest first.
    public internal(set) var superclasses: [String]
    /// The fallback classes, from which a reader may choose.
    public internal(set) var hints: [String]
    /// The number of objects of the class.
    public internal(set) var count: Int
    /// The keys of the objects, most frequent first.
    public internal(set) var keys: [Key]
  }

  /// The elements of an XML document.
  public struct Document: Sendable {
    /// The name of the root element as written.
    public internal(set) var root: String
    /// The number of elements.
    public internal(set) var elementCount = 0
    /// The nesting depth of elements.
    public internal(set) var depth = 0
    /// The declared namespaces, each with its prefixes (`""` for the default namespace).
    public internal(set) var namespaces: [Namespace] = []
    /// The elements by name, most frequent first.
    public internal(set) var elements: [Element] = []
    /// True if `elements` and `namespaces` list all names.
    public internal(set) var hasAllNames = true
    public internal(set) var comments = 0
    public internal(set) var processingInstructions = 0
    /// True if the document has a document type declaration.
    public internal(set) var hasDoctype = false

    /// A namespace and its prefixes.
    public struct Namespace: Hashable, Sendable {
      public internal(set) var name: String
      public internal(set) var prefixes: [String]
    }

    /// The elements with one name.
    public struct Element: Sendable {
      /// The name as written.
      public internal(set) var name: String
      /// The number of elements.
      public internal(set) var count: Int
      /// The least and the greatest depth of the elements; the root has depth 1.
      public internal(set) var depths: ClosedRange<Int>
      /// The names of their attributes as written.
      public internal(set) var attributes: Tally<String>
      /// The number of elements whose text is not blank.
      public internal(set) var withText: Int
    }
  }

  /// The storage of objects in a binary file.
  public struct ObjectTable: Sendable {
    /// The number of objects.
    public internal(set) var objectCount: Int
    /// The number of bytes in an entry of the offset table.
    public internal(set) var offsetWidth: Int
    /// The number of bytes in a reference to an object.
    public internal(set) var referenceWidth: Int
    /// The number of integers by width in bytes.
    public internal(set) var integerWidths = Tally<Int>()
    /// The number of strings stored as ASCII, and as UTF-16.
    public internal(set) var asciiStrings = 0
    public internal(set) var utf16Strings = 0
    /// The number of objects without a reference, except from other orphans.
    public internal(set) var orphans = 0
    /// The number of arrays, sets and dictionaries with more than one reference.
    public internal(set) var sharedCollections = 0
    /// The number of arrays, sets and dictionaries that contain themselves, directly or through others.
    public internal(set) var cyclicCollections = 0
  }

  /// The objects and classes of a keyed archive.
  public struct Archive: Sendable {
    /// The class of the archiver, nearly always `NSKeyedArchiver`; nil if the archive does not name it.
    public internal(set) var archiver: String?
    /// The version, 100000 in all known archives; nil if it is missing or no integer.
    public internal(set) var version: Int128?
    /// The entries of `$top`.
    public internal(set) var roots: [Root] = []
    /// The number of objects in `$objects`, including `$null` and class descriptions.
    public internal(set) var objectCount = 0
    /// The number of objects with a class.
    public internal(set) var instances = 0
    /// The number of class descriptions.
    public internal(set) var descriptions = 0
    /// The strings, numbers and data that are objects without a class, by kind.
    public internal(set) var bareValues = KindCounts()
    /// The number of objects that no root can reach, including class descriptions.
    public internal(set) var unreachable = 0
    /// The number of objects on the shortest path from a root to the object farthest from all roots.
    public internal(set) var depth = 0
    /// The number of groups of objects that refer to each other in a cycle.
    public internal(set) var cycles = 0
    /// The number of objects that refer to themselves, directly or through others.
    public internal(set) var objectsOnCycles = 0
    /// The number of objects with a class that have more than one reference.
    public internal(set) var sharedObjects = 0
    /// The number of values without a class that have more than one reference.
    public internal(set) var sharedValues = 0
    /// The classes, those with the most objects first.
    public internal(set) var classes: [Class] = []
    /// True if the classes list all their keys.
    public internal(set) var hasAllKeys = true
    /// The references between objects.
    public internal(set) var graph = ObjectGraph()

    /// A named value at the top of the archive.
    public struct Root: Hashable, Sendable {
      /// The name, usually `root`.
      public internal(set) var name: String
      /// The kind of the value.
      public internal(set) var kind: ValueKind
      /// The class, if the value is an object with a class.
      public internal(set) var className: String?
      /// The object number in `$objects`; nil if the value is stored inline in `$top`.
      public internal(set) var object: Int?
    }
  }
}
