import Foundation
import TestSupport
import Testing

/// The people that most tests convert, as the project's example has them.
let folks = """
  <?xml version="1.0" encoding="UTF-8"?>
  <people>
    <person>
      <firstName>Matt</firstName>
      <lastName>Neuburg</lastName>
    </person>
    <person>
      <firstName>Snidely</firstName>
      <lastName>Whiplash</lastName>
    </person>
    <person>
      <firstName>Dudley</firstName>
      <lastName>Doright</lastName>
    </person>
  </people>

  """

/// The people of `folks` as JSON, as `ferry` prints them.
let folksJSON = """
  [{"firstName":"Matt","lastName":"Neuburg"},{"firstName":"Snidely","lastName":"Whiplash"},\
  {"firstName":"Dudley","lastName":"Doright"}]

  """

/// The directory of the test that runs.
var directory: TemporaryDirectory { .current }

/// Expects that a run succeeded, without a word.
func expectQuiet(_ run: ToolRun, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(run.status == 0, sourceLocation: sourceLocation)
  #expect(run.errors == "", sourceLocation: sourceLocation)
}

/// Expects that a run failed with these lines and nothing else.
func expectFailure(_ run: ToolRun, _ errors: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(run.status == 1, sourceLocation: sourceLocation)
  #expect(run.errors == errors + "\n", sourceLocation: sourceLocation)
  #expect(run.output == "", sourceLocation: sourceLocation)
}
