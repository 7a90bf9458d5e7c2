/// A topic of `ferry help` that is not a command.
enum HelpTopic: String, CaseIterable {
  case paths, forms, schemas, reports

  /// Creates the topic with a name, ignoring case: `PATHS`.
  init?(name: String) {
    self.init(rawValue: name.lowercased())
  }

  /// The text of the topic, with lines of at most eighty columns.
  var text: String {
    switch self {
    case .paths: Self.pathsText
    case .forms: Self.formsText
    case .schemas: Self.schemasText
    case .reports: Self.reportsText
    }
  }

  private static let pathsText = """
    A path selects values in a file, for get, set, insert, remove, move, copy and
    --select:

      people[0].name          keys joined by dots, and elements counted from 0
      people[-1]              the last element
      people[*].name          the name of every element, or entry of a dictionary
      people[1:3]             the elements from 1 up to, not including, 3
      people[name="Ada"]      the elements with this value for the key
      people[age>=30]         a comparison by =, !=, <, <=, > or >= with a number,
                              a date or a text; [age>=30][city!=Graz] means both
      people[name^=A]         texts that begin (^=) or end ($=) with another text,
                              or contain it (*=)
      people[]                the position after the last element, for insert; all
                              elements, as [*], for get
      ["a key.with dots"]     a key of any characters
      $objects[17]            an object of an archive by its number
      window.frame.width      a field of an object of a known class
      settings.inner.key      a value inside data that holds another file
      ["a.json"].title        a value in a file of a ZIP archive

    set and remove change all values that a path selects, and insert adds one to
    each collection before the last step. Elements without the rest of the path are
    left out.

    The rows of a table, the lines of JSON Lines and several documents of YAML are
    the elements of a list.

    The notations of other tools are read, too: .people[].name (jq), $.people
    (JSONPath), /people/0 and #/people/0 (JSON Pointer), :people:0 (PlistBuddy).
    --select takes XPath for XML, and therefore no path that begins with a slash.
    get, set, insert, remove, move and copy take such an argument as an XPath if the
    file is XML.
    Documentation/Paths.md has everything, and Documentation/Editing.md describes
    changes.

      ferry get people.pplgrp '[0].first'
      ferry set people.pplgrp '[last=Doright].first' Dudley
    """

  private static let formsText = """
    --form chooses how a file is shown in a format that lacks some of its types:

      plain   What a person would write: dates, lists, the fields of objects. What
              the format cannot hold, such as class names, is reported.
      typed   Everything, with tags such as {"$date": "2014-06-01T09:30:00Z"} and
              {"$class": "Person", …}. It converts back to the same bytes.
      raw     The property list that stores an archive, with its $objects and UIDs.

      ferry convert people.pplgrp --to json --form typed -o people.json
      ferry convert people.json --to archive -o again.pplgrp

    Documentation/TypedForm.md describes the typed form.
    """

  private static let schemasText = """
    A schema describes the records of one type in every format: their names, types
    and keys. It is a file in any format that Ferry reads:

      { "ferry": 1, "name": "person",
        "collection": { "element": "people" },
        "record": { "element": "person", "class": "Person" },
        "fields": [
          { "name": "firstName", "type": "string", "archiveKey": "first" },
          { "name": "age", "type": "integer", "xml": "@age", "optional": true } ] }

    The schemas person, whatsit and item are built in. An input that matches one
    is read by it; --schema FILE names another one, --schema none prevents it.
    Documentation/Schemas.md has all keys and types.

      ferry convert folks.xml --schema person --to json
    """

  private static let reportsText = """
    Ferry keeps everything, or reports what the output format cannot hold: one line
    by kind on the standard error. --quiet leaves the line out, --strict makes it an
    error, and --report FILE writes every loss with its path as JSON:

      { "failures": [ { "file": …, "code": "json.unexpected-end", "message": …,
                        "line": 3, "column": 14 } ],
        "counts": [ … ], "losses": [ { "file": …, "code": …, "path": … } ],
        "notes": [ … ] }

    An error begins with the file, line and column, so that editors can jump there.
    On a terminal, or with --explain, the line follows. Documentation/Reports.md
    lists all codes.

      ferry convert people.pplgrp --to json --report losses.json
    """
}
