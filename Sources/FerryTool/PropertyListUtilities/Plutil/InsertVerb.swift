import Ferry

/// `plutil -insert` and `plutil -replace`: put a value into property lists.
struct InsertVerb: PlutilVerb {
  let options: PlutilOptions
  private let keyPath: PlutilKeyPath
  private let value: Value
  private let insertion: PlutilKeyPath.Insertion

  init(_ arguments: inout PlutilArguments, isReplacing: Bool) throws(PlutilError) {
    let message = "'Insert' and 'Replace' require a key path, a type, and a value."
    keyPath = PlutilKeyPath(parsing: try arguments.next(or: message))
    let type = try arguments.next(or: message)
    value = try Self.value(ofType: type, &arguments)
    let isAppending = arguments.take("-append")
    insertion = isReplacing ? .replacing : isAppending ? .appending : .inserting
    options = try PlutilOptions(arguments.rest)
  }

  func process(_ file: String) throws(PlutilError) {
    try rewrite(file) { root throws(PlutilError) in try keyPath.put(value, insertion, into: &root) }
  }

  /// Reads the value of a type from the arguments.
  private static func value(ofType type: String, _ arguments: inout PlutilArguments) throws(PlutilError)
    -> Value
  {
    switch type {
    case "-array": return .array([])
    case "-dictionary": return .dictionary(KeyedValues())
    case "-bool", "-integer", "-float", "-string", "-date", "-data", "-xml", "-json":
      let text = try arguments.next(or: "'Insert' and 'Replace' require a key path, a type, and a value.")
      return try value(ofType: type, text)
    default: throw PlutilError("Unknown insert or replace type \(type)")
    }
  }

  private static func value(ofType type: String, _ text: String) throws(PlutilError) -> Value {
    func checked(_ value: Value?, _ kind: String) throws(PlutilError) -> Value {
      guard let value else { throw PlutilError("Invalid \(kind) in argument: \(text)") }
      return value
    }
    switch type {
    case "-bool":
      let word = text.lowercased()
      let isTrue = ["true", "yes"].contains(word)
      return try checked(isTrue || ["false", "no", "0"].contains(word) ? .boolean(isTrue) : nil, "boolean")
    case "-integer":
      let number = Int128(text).flatMap { PropertyListText.isInteger($0) ? Value.integer($0) : nil }
      return try checked(number, "integer")
    case "-float": return try checked(PropertyListText.realNumber(text).map(Value.real), "float")
    case "-date":
      return try checked(ISODate.seconds(text).map { .date(secondsSince2001: $0) }, "date")
    case "-data": return try checked(Base64.decode(text.utf8.span).map(Value.data), "base64 data")
    case "-xml": return try parsed(text, "xml property list", as: nil)
    case "-json": return try parsed(text, "JSON", as: .json)
    default: return .string(text)
    }
  }

  /// Parses a value. Without a format, it is a property list in any syntax.
  private static func parsed(_ text: String, _ kind: String, as format: Format?) throws(PlutilError) -> Value
  {
    let bytes = Array(text.utf8)
    do throws(FerryError) {
      guard !bytes.isEmpty else { throw FerryError(.file(.empty)) }
      return try PropertyListFile.read(bytes, as: format ?? PropertyListFile.propertyListFormat(of: bytes))
    } catch {
      throw PlutilError("Unable to parse \(kind): \(PlutilError.words(error))")
    }
  }
}
