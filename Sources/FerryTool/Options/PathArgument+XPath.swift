import ArgumentParser
import Ferry

// Arguments that are XPaths if the file is a document of XML, and otherwise paths.

extension PathArgument {
  /// True for an argument that is an XPath for XML: it begins with a slash, or it cannot be a path. The steps of an XPath do not begin
  /// with a digit, `#` or `{`, so that `/list/book/0` stays a JSON pointer.
  var mayBeXPath: Bool { beginsLikeXPath || XPathReading.canRead(text) }

  /// Parses the path for a file that takes no XPaths.
  func pathInAnyFormat() throws(FerryError) -> ValuePath {
    do throws(FerryError) { return try ValuePath(parsing: text) } catch {
      throw XPathReading.isXPath(text) ? ValuePath.problem(withXPath: text) : error
    }
  }

  /// Throws if the argument is valid neither as an XPath nor as the path of a value that a file may have.
  func check(_ prefixes: [String: String]) throws(ValidationError) {
    // A JSON pointer may have any characters, but its first key is rarely empty, and few keys have brackets.
    guard mayBeXPath, text.hasPrefix("//") || isExpression || (try? pathInAnyFormat()) == nil else { return }
    do throws(FerryError) { try XPathReading.check(text, namespaces: prefixes, budget: Budget()) } catch {
      throw ValidationError(error.advised)
    }
  }

  /// True for an argument with a condition, a function or a wildcard, which would become a part of the name of a new element.
  fileprivate var isExpression: Bool { text.contains { "[(*".contains($0) } }

  /// True for an argument that begins like an XPath, even if it is not a valid one.
  private var beginsLikeXPath: Bool {
    let bytes = Array(text.utf8)
    let function = bytes.prefix { $0 != UInt8(ascii: "/") }
    guard function.count < bytes.count, function.allSatisfy(\.isInFunctionName),
      function.isEmpty || function.last == UInt8(ascii: "(")
    else { return false }
    // A text in an expression may have any characters.
    guard !bytes.contains(UInt8(ascii: "'")), !bytes.contains(UInt8(ascii: "\"")) else { return true }
    return !bytes.split(separator: UInt8(ascii: "/")).contains { $0.first?.beginsKeyAlone == true }
  }
}

extension UInt8 {
  /// True for the characters of the name of an XPath function, and of its bracket.
  fileprivate var isInFunctionName: Bool {
    self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")
      || [UInt8(ascii: "-"), UInt8(ascii: "("), UInt8(ascii: " ")].contains(self)
  }

  /// True for a character that begins the key of a value, or the index of an element, but no step of an XPath.
  fileprivate var beginsKeyAlone: Bool {
    self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9")
      || [UInt8(ascii: "#"), UInt8(ascii: "{")].contains(self)
  }
}

extension EditableFile {
  /// Returns the values that an argument selects as an XPath; nil if it is a path. An argument that selects nothing, and is the JSON pointer of
  /// a value, such as `/feed/title` for elements in a namespace, is this pointer.
  ///
  /// - Parameter inserts: True to insert values that are missing. The last key of the pointer may be missing, too.
  /// - Throws: A `FerryError`, also if the XPath selects nothing, or if the file is not XML and the argument is not a path, either.
  func values(
    selectedBy argument: PathArgument, for change: SelectedChange, inserts: Bool = false
  ) throws(FerryError) -> [SelectedValue]? {
    guard argument.mayBeXPath else { return nil }
    let isNew = inserts || change.addsValues
    guard takesXPaths else {
      let path = try argument.pathInAnyFormat()
      // As a JSON pointer, the first key is empty.
      guard argument.text.hasPrefix("//"), (try? hasValue(at: isNew ? path.parent : path)) != true else {
        return nil
      }
      throw ValuePath.problem(withXPath: argument.text)
    }
    let selected = try values(selectedBy: argument.text, for: change, insertsMissing: inserts)
    guard selected.isEmpty else { return selected }
    guard let path = try? ValuePath(parsing: argument.text),
      (try? hasValue(at: path)) == true
        || isNew && !argument.isExpression && (try? hasValue(at: path.parent)) == true
    else { throw try nothing(selectedBy: argument.text, for: change, insertsMissing: inserts) }
    return nil
  }

  /// Returns the value of a move or a copy, or the place that it gets, for an argument that is a path.
  func value(at argument: PathArgument) throws(FerryError) -> [SelectedValue] {
    [SelectedValue(path: try argument.pathInAnyFormat())]
  }
}
