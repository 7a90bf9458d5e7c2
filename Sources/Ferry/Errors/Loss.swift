/// A loss: data that the target of a conversion cannot represent. All losses are reported.
///
/// Two losses that differ only in the source location are equal, because a change elsewhere in a file moves what is lost.
public struct Loss: Sendable {
  /// The kind of data.
  public var kind: Kind
  /// The path in the value.
  public var path: ValuePath
  /// The source location of what is lost, or of the value that contains it. It is empty if it is unknown.
  public var location: InputLocation

  /// Creates a loss at a path, with its source location as far as it is known.
  public init(_ kind: Kind, path: ValuePath = ValuePath(), at location: InputLocation = InputLocation()) {
    self.kind = kind
    self.path = path
    self.location = location
  }

  /// The kinds of loss. The raw values are stable identifiers for programs and never change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A date became text in ISO 8601, because the format has no dates.
    case dateAsText = "date-as-text"
    /// A date lost what is finer than about 100 nanoseconds.
    case dateRounded = "date-rounded"
    /// Data became text in Base64, because the format has no data.
    case dataAsText = "data-as-text"
    /// A date lost its fraction of a second.
    case dateFraction = "date-fraction"
    /// An entry or element was left out, because the format has no null.
    case nullLeftOut = "null-left-out"
    /// A null became an empty text.
    case nullAsText = "null-as-text"
    /// A set became an array.
    case setAsArray = "set-as-array"
    /// The class of an object was left out; its content is kept.
    case className = "class-name"
    /// An object with several references is written once, and as paths elsewhere.
    case sharedIdentity = "shared-identity"
    /// An object with several references was written for each of them.
    case sharedInFull = "shared-in-full"
    /// A key that is not a string became text.
    case objectKey = "object-key"
    /// A reference by object number became a dictionary with the key `CF$UID`.
    case uidAsDictionary = "uid-as-dictionary"
    /// A dictionary that looks like a reference (`CF$UID`) will be read as one.
    case referenceLookalike = "reference-lookalike"
    /// A dictionary with the key `$ferry` will be read as a document in the typed form.
    case typedLookalike = "typed-lookalike"
    /// A 32-bit real became a 64-bit real of the same value.
    case singleWidth = "single-width"
    /// A number became text.
    case numberAsText = "number-as-text"
    /// A boolean became text.
    case booleanAsText = "boolean-as-text"
    /// A decimal became the nearest 64-bit real.
    case numberAsReal = "number-as-real"
    /// A number kept its value and lost its notation, such as `2.20` or `1e5`.
    case numberNotation = "number-notation"
    /// NaN or an infinity became text.
    case notFinite = "not-finite"
    /// A NaN lost its sign and its payload.
    case nanPayload = "nan-payload"
    /// An unpaired surrogate became U+FFFD.
    case surrogate = "surrogate"
    /// A key occurs twice in a dictionary. The formats that cannot repeat it keep the last value.
    case duplicateKey = "duplicate-key"
    /// An empty array or dictionary became an empty element, or none.
    case emptyCollection = "empty-collection"
    /// An array of one element became one XML element, which will be read as that element.
    case arrayOfOne = "array-of-one"
    /// An array in an array became elements with the name `item`.
    case nestedArray = "nested-array"
    /// The value was put into a root element, whose name it did not have.
    case wrapped = "wrapped"
    /// The keys and the list around a single text or picture were left out, unless they are elements of XML; or the key of the only table of
    /// a database, by `FerryEncoder`.
    case unwrapped = "unwrapped"
    /// The order of elements with different names was lost.
    case siblingOrder = "sibling-order"
    /// The pieces of text between elements were put together.
    case mixedContent = "mixed-content"
    /// The white space around the text of an element was left out, or will be by the reader of the convention.
    case space = "space"
    /// Contents of an element in XML will be read as another list of contents.
    case contentForm = "content-form"
    /// A key that is not a name of XML became an escaped name, which the reader of the convention does not know.
    case keyName = "key-name"
    /// A value in XML will be read as another form of the convention.
    case conventionForm = "convention-form"
    /// An attribute moved from after text or elements to before them.
    case attributeOrder = "attribute-order"
    /// A change that concerns only white space, order or repetition was not made.
    case layout = "layout"
    /// A text was written anew after a change: its layout, and the notation of its scalars, may be others.
    case textLayout = "text-layout"
    /// Values that a binary file stores in an unusual way were stored in the usual way, because a value has changed.
    case storedBytes = "stored-bytes"
    /// The archive was written anew, with other object numbers.
    case archiveLayout = "archive-layout"
    /// A comment was left out.
    case comment = "comment"
    /// An anchor or an alias of YAML was left out; its value is kept.
    case anchor = "anchor"
    /// A tag of YAML's own, such as `!!float`, was left out, because the value has another type.
    case typeTag = "type-tag"
    /// A scalar of a YAML document of version 1.1 was read as YAML 1.2 reads it, which is another value.
    case olderScalar = "older-scalar"
    /// A processing instruction of XML was left out.
    case processingInstruction = "processing-instruction"
    /// The document type declaration of XML was left out.
    case doctype = "doctype"
    /// A reference to an entity that is declared outside of the document was left out.
    case undeclaredEntity = "undeclared-entity"
    /// A namespace declaration was left out.
    case namespace = "namespace"
    /// A text or an attribute of XML contains a prefix whose declaration was left out.
    case contentPrefix = "content-prefix"
    /// An attribute of XML was left out.
    case attribute = "attribute"
    /// An attribute that belongs to no record of the schema was left out.
    case otherAttribute = "other-attribute"
    /// Text that belongs to no record of the schema was left out.
    case otherText = "other-text"
    /// The names of an archive's top-level values became keys.
    case topLevelNames = "top-level-names"
    /// The name of the class that wrote the archive was left out.
    case archiverName = "archiver-name"
    /// An entry of an archive beside those of every archive (`$objects`, `$top` …) was left out.
    case archiveEntry = "archive-entry"
    /// An object has keys that its class does not use.
    case classKeys = "class-keys"
    /// A boolean became 0 or 1.
    case booleanAsInteger = "boolean-as-integer"
    /// NaN became NULL in a database.
    case notANumber = "not-a-number"
    /// A negative zero became zero.
    case negativeZero = "negative-zero"
    /// A value took the type of its column in a database.
    case columnType = "column-type"
    /// A trigger of the database removed rows while rows were added.
    case removedByTrigger = "removed-by-trigger"
    /// An array or a dictionary in a record became text in JSON.
    case nestedAsText = "nested-as-text"
    /// A key with a dot, or an empty key in a nested dictionary, will be read as other keys.
    case dottedKey = "dotted-key"
    /// A column with a dot in its name is read as one key and not as an entry of a dictionary, because another column has the name of
    /// the dictionary.
    case undividedColumn = "undivided-column"
    /// A key that a record lacks became NULL.
    case missingAsNull = "missing-as-null"
    /// A key that a record lacks became an empty cell.
    case missingAsEmpty = "missing-as-empty"
    /// A key of a new row that no column has became a column of the edited table.
    case addedColumn = "added-column"
    /// An empty text in a table of one column, or of an element, is read as a missing value or null.
    case emptyText = "empty-text"
    /// A text that is an array or a dictionary in JSON is read as such.
    case jsonLookalike = "json-lookalike"
    /// The keys of a record took the order of the columns.
    case columnOrder = "column-order"
    /// The names of the columns were left out, because there are no rows.
    case columnNames = "column-names"
    /// A table without columns was left out.
    case emptyTable = "empty-table"
    /// Text of a database that is not UTF-8 was repaired with U+FFFD.
    case invalidText = "invalid-text"
    /// A virtual table of a database was left out.
    case virtualTable = "virtual-table"
    /// The types, keys and constraints of a table were left out.
    case tableDefinition = "table-definition"
    /// An index of a database was left out.
    case index = "index"
    /// A view of a database was left out.
    case view = "view"
    /// A trigger of a database was left out.
    case trigger = "trigger"
    /// The application's identifier or version number of a database was left out.
    case databaseNumber = "database-number"
    /// The metadata and the model of a Core Data store were left out.
    case storeMetadata = "store-metadata"
    /// The history and other tables of a Core Data store were not changed.
    case storeTables = "store-tables"
    /// Numbers that may refer to other objects stayed numbers, because the Core Data store has no model.
    case storedKeys = "stored-keys"
    /// An attribute that has several columns in a Core Data store was put into the first.
    case ambiguousColumn = "ambiguous-column"
    /// Data of a Core Data store in a file that is missing was left out.
    case externalData = "external-data"
    /// A value under an older name of a field was left out, because the newest name has another value.
    case olderKey = "older-key"
    /// A part of an older version's value was left out, because no field takes it.
    case olderPart = "older-part"
    /// A key was left out, because it means another field in the output.
    case takenKey = "taken-key"
    /// The schema does not describe a key.
    case undeclaredKey = "undeclared-key"
    /// A record of a newer version became one of the schema's version.
    case newerVersion = "newer-version"
    /// A file of a package was left out: no record names it, or the output is in the typed or the raw form.
    case packageFile = "package-file"
    /// A value beside the list of records was left out.
    case besideRecords = "beside-records"
    /// The version of the list of records was left out.
    case collectionVersion = "collection-version"
    /// The files of a ZIP archive have changed, and its signature has not.
    case archiveSignature = "archive-signature"
    /// The C type of a value in an object of an unknown class was left out.
    case typeEncoding = "type-encoding"
    /// The XPath of the selection matches no element.
    case nothingSelected = "nothing-selected"
  }
}

extension Loss: Hashable {
  /// Returns true if the losses have the same kind and the same path.
  public static func == (a: Loss, b: Loss) -> Bool { a.kind == b.kind && a.path == b.path }

  /// Hashes the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(path)
  }
}

extension Loss: CustomStringConvertible {
  /// The loss in one sentence, without a period, and its path: `dates become text (at [0].born)`.
  public var description: String { path.isEmpty ? kind.message : "\(kind.message) (at \(path.shortened))" }
}
