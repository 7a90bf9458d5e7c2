/// What is in a file: its format, what it is made of, and what is odd about it, as a value.
///
///     let inspection = try Inspection(reading: FileInput(path: "people.pplgrp"), named: "people.pplgrp")
///     inspection.format                        // .archive
///     inspection.archive?.classes[0].name      // "Person"
///     inspection.archive?.graph.references(from: 1)
///
/// Every format has the parts that it can have: an archive in a binary file has `archive` and `table`, a JSON text has
/// `values`, an XML document has `document`. Only references, numbers and names are kept, no content; of names and places
/// only so many, so that memory is at most some multiple of the file's size, and flat for the formats that are streams.
public struct Inspection: Sendable {
  /// The format, as it was found or given.
  public internal(set) var format: Format
  /// How many bytes the input has.
  public internal(set) var byteCount: Int
  /// The encoding of a text, `UTF-8` or as the document declares it; nil for a binary file.
  public internal(set) var encoding: String?
  /// The values of JSON and property lists.
  public internal(set) var values: Values?
  /// The elements of an XML document.
  public internal(set) var document: Document?
  /// How a binary file stores its objects.
  public internal(set) var table: ObjectTable?
  /// The objects and classes of a keyed archive.
  public internal(set) var archive: Archive?
  /// The tables of a database.
  public internal(set) var store: Store?
  /// Other files, inside data values.
  public internal(set) var blobs = Blobs()
  /// What is odd or wrong, and was not in the way.
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
    /// What the outermost value is; nil when it could not be read.
    public internal(set) var top: ValueKind?
    /// How many elements the outermost array or set has; of JSON Lines, how many records there are.
    public internal(set) var records: Int?
    /// How many values of each kind there are, keys not counted. In a binary file each object counts once, however often
    /// it is referred to.
    public internal(set) var kinds = KindCounts()
    /// Arrays, sets and dictionaries inside each other: 2 for `[[1]]`.
    public internal(set) var depth = 0
    /// The keys of all dictionaries, the most frequent first.
    public internal(set) var keys: [Key] = []
    /// Whether `keys` has all there are.
    public internal(set) var hasAllKeys = true
    /// The classes of objects, in formats that have them in the stream; those of keyed archives are in `archive`.
    public internal(set) var classes: [Class] = []
  }

  /// A key, and what stands there.
  public struct Key: Sendable {
    /// The key's name; a long one is cut off with an ellipsis.
    public internal(set) var name: String
    /// How many dictionaries, or objects of a class, have it.
    public internal(set) var count: Int
    /// What the values are, objects of classes left out.
    public internal(set) var kinds: KindCounts
    /// Of these the values that are objects of the archive, referred to, and not in the object that has the key; nil outside
    /// archives.
    public internal(set) var objects: KindCounts?
    /// The classes of the values that are objects.
    public internal(set) var classes: Tally<String>

    /// The types of the values by name, the most frequent first: `string`, `integer`, `NSMutableArray`. A number that is an
    /// object of an archive, and any other value that is none, is marked: `integer (object)`, `string (in place)`.
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
    /// The class's name.
    public internal(set) var name: String
    /// Those it inherits from, nearest first, as the file has them.
    public internal(set) var superclasses: [String]
    /// The classes that a reader may fall back to.
    public internal(set) var hints: [String]
    /// How many objects are of the class.
    public internal(set) var count: Int
    /// The keys of its objects, the most frequent first.
    public internal(set) var keys: [Key]
  }

  /// The elements of an XML document.
  public struct Document: Sendable {
    /// The name of the root element, as it is written.
    public internal(set) var root: String
    /// How many elements there are.
    public internal(set) var elementCount = 0
    /// Elements inside each other.
    public internal(set) var depth = 0
    /// The namespaces that are declared, each with the prefixes it is declared with (`""` for the default).
    public internal(set) var namespaces: [Namespace] = []
    /// The elements by name, the most frequent first.
    public internal(set) var elements: [Element] = []
    /// Whether `elements` and `namespaces` have all there are.
    public internal(set) var hasAllNames = true
    public internal(set) var comments = 0
    public internal(set) var processingInstructions = 0
    /// Whether there is a document type declaration.
    public internal(set) var hasDoctype = false

    /// A namespace and its prefixes.
    public struct Namespace: Hashable, Sendable {
      public internal(set) var name: String
      public internal(set) var prefixes: [String]
    }

    /// All elements of one name.
    public struct Element: Sendable {
      /// The name as it is written.
      public internal(set) var name: String
      /// How many there are.
      public internal(set) var count: Int
      /// The least and the greatest depth they stand in; the root's is 1.
      public internal(set) var depths: ClosedRange<Int>
      /// Their attributes' names, as they are written.
      public internal(set) var attributes: Tally<String>
      /// How many have text that is not blank.
      public internal(set) var withText: Int
    }
  }

  /// How a binary file stores its objects.
  public struct ObjectTable: Sendable {
    /// How many objects there are.
    public internal(set) var objectCount: Int
    /// Bytes of an entry of the offset table.
    public internal(set) var offsetWidth: Int
    /// Bytes of a reference to an object.
    public internal(set) var referenceWidth: Int
    /// Integers by the bytes they take.
    public internal(set) var integerWidths = Tally<Int>()
    /// Strings that are stored as ASCII, and as UTF-16.
    public internal(set) var asciiStrings = 0
    public internal(set) var utf16Strings = 0
    /// Objects that nothing refers to, or only others of the kind.
    public internal(set) var orphans = 0
    /// Arrays, sets and dictionaries that are referred to more than once.
    public internal(set) var sharedCollections = 0
    /// Arrays, sets and dictionaries that contain themselves, directly or through others.
    public internal(set) var cyclicCollections = 0
  }

  /// The objects and classes of a keyed archive.
  public struct Archive: Sendable {
    /// The archiver's class, nearly always `NSKeyedArchiver`; nil when it is not said.
    public internal(set) var archiver: String?
    /// The version, 100000 in all that are known; nil when it is not said, or is no integer.
    public internal(set) var version: Int128?
    /// What `$top` names.
    public internal(set) var roots: [Root] = []
    /// How many objects `$objects` has, with `$null` and the class descriptions.
    public internal(set) var objectCount = 0
    /// Objects of a class.
    public internal(set) var instances = 0
    /// Class descriptions.
    public internal(set) var descriptions = 0
    /// Strings, numbers and data that stand bare among the objects.
    public internal(set) var bareValues = KindCounts()
    /// Objects that no root leads to, class descriptions among them.
    public internal(set) var unreachable = 0
    /// How many objects are on the shortest way from a root to the object farthest from all of them.
    public internal(set) var depth = 0
    /// Groups of objects that lead to each other.
    public internal(set) var cycles = 0
    /// Objects that lead to themselves.
    public internal(set) var objectsOnCycles = 0
    /// Objects of a class that are referred to from more than one place.
    public internal(set) var sharedObjects = 0
    /// Bare values that are referred to from more than one place.
    public internal(set) var sharedValues = 0
    /// The classes, those with most objects first.
    public internal(set) var classes: [Class] = []
    /// Whether the classes' keys are all there are.
    public internal(set) var hasAllKeys = true
    /// Which object refers to which.
    public internal(set) var graph = ObjectGraph()

    /// A value that the archive has at its top, under a name.
    public struct Root: Hashable, Sendable {
      /// The name, usually `root`.
      public internal(set) var name: String
      /// What it is.
      public internal(set) var kind: ValueKind
      /// The class, when it is an object of one.
      public internal(set) var className: String?
      /// Its number in `$objects`; nil when the value stands in place.
      public internal(set) var object: Int?
    }
  }
}
