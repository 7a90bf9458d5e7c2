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

/// Writes three versions of a file, whose names begin with `b-`, `o-` and `t-`, and merges them.
func mergeVersions(
  of name: String, _ base: String, _ ours: String, _ theirs: String, _ options: [String] = []
) async throws -> ToolRun {
  let versions = [("b-\(name)", base), ("o-\(name)", ours), ("t-\(name)", theirs)]
  for (file, text) in versions { try directory.write(file, text) }
  return try await .ferry(["merge"] + versions.map(\.0) + options)
}

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

/// Expects that a shell's command line prints an output, and messages that contain a text, or none.
func expect(
  _ line: String, _ output: String, errors: String = "", sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let run = try await ToolRun.shell(line)
  #expect(run.output == output, "\(run.errors)", sourceLocation: sourceLocation)
  #expect(
    errors.isEmpty ? run.errors.isEmpty : run.errors.contains(errors), "\(run.errors)",
    sourceLocation: sourceLocation)
}

/// Expects that a shell's command line, with its output discarded, needs less than a number of MiB of memory at its peak.
func expectMemory(
  below megabytes: Int, _ line: String, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try directory.write(
    "memory.py",
    """
    import resource, subprocess, sys
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
    """)
  let run = try await ToolRun.shell("python3 memory.py \(line)")
  let peak = Int(run.output.dropLast())
  #expect(peak ?? .max < megabytes, "\(run.output)\(run.errors)", sourceLocation: sourceLocation)
}
