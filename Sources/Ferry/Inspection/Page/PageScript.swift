/// The script of a page. Each part is a file of its own; all share one scope.
enum PageScript {
  static let text =
    "(() => {\n'use strict';\n"
    + [
      ModelScript.text, RowScript.text, TreeScript.text, ReferenceScript.text, DetailsScript.text,
      ClassesScript.text, GraphScript.text, SearchScript.text, DifferencesScript.text, MainScript.text,
    ].joined(separator: "\n") + "})();\n"
}
