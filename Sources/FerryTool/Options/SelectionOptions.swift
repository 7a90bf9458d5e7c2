import ArgumentParser
import Ferry

/// The options for the part of an input that has the records.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read only what this selects: an XPath for XML, a path such as people[*] for other formats.",
      valueName: "path"))
  var select: String?

  @OptionGroup var namespaces: NamespaceOptions

  @Option(
    name: .long,
    help: ArgumentHelp("The table, view or entity of a database.", valueName: "name"))
  var table: String?

  func validate() throws {
    guard namespaces.bindings.isEmpty || select != nil else {
      throw ValidationError("--ns needs --select XPATH")
    }
  }

  /// Throws if several inputs are read, and the selection is valid neither as an XPath nor as a path, which would be an error of each input.
  func check(forInputs count: Int) throws(ValidationError) {
    guard count > 1, let select, select.hasPrefix("/") || (try? ValuePath(parsing: select)) == nil else {
      return
    }
    do throws(FerryError) { try XPathReading.check(select, namespaces: prefixes, budget: Budget()) } catch {
      throw ValidationError(error.advised)
    }
  }

  /// The namespaces of prefixes.
  var prefixes: [String: String] { namespaces.prefixes }
}
