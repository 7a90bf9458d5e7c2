import Ferry
import Foundation

/// Documents as objects: opened, changed and saved, by one process or by several at once.
///
///     swift run documents add people.pplgrp Ada Lovelace     # makes the document when there is none
///     swift run documents show people.pplgrp
///     Ada Lovelace
///     swift run documents add people.pplgrp Grace Hopper 50  # fifty times, each time opened, changed and saved
///     saved 50 times, 0 conflicts
///     swift run documents churn people.pplgrp                # saves versions without end: kill it whenever you like
///     saving
///
/// `.pplgrp` is a people group, `.mystuff` a package of things; a person's first name is what a thing is, the last where.
@main
struct Example {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2 else {
      print("usage: documents show|add|churn FILE [FIRST LAST [TIMES]]")
      exit(64)
    }
    let (verb, path) = (arguments[0], arguments[1])
    do throws(FerryError) {
      switch verb {
      case "add" where arguments.count >= 4:
        try await add(
          Line(arguments[2], arguments[3]), to: path, times: arguments.count > 4 ? Int(arguments[4]) ?? 1 : 1)
      case "churn": try await churn(path)
      default:
        let document = listing(at: path)
        try await document.open()
        for line in await document.lines { print(line.first, line.last) }
      }
    } catch {
      print(error.placed(inFile: path))
      exit(1)
    }
  }

  /// Opens, changes and saves a document, and does it again when another process has been faster.
  private static func add(_ line: Line, to path: String, times: Int) async throws(FerryError) {
    var (saved, conflicts) = (0, 0)
    while saved < times {
      let document = listing(at: path)
      do throws(FerryError) {
        try await document.open(creatingIfMissing: true)
        await document.append(line)
        try await document.save()
        saved += 1
      } catch  where error.reason == .document(.changedByAnother) {
        conflicts += 1
      }
      try await document.close(discardingChanges: true)
    }
    print("saved \(saved) times, \(conflicts) conflicts")
  }

  /// Saves version after version: number n has n % 40 + 1 lines, all with the number.
  private static func churn(_ path: String) async throws(FerryError) {
    let document = listing(at: path)
    try await document.open(creatingIfMissing: true)
    try StandardOutput().write("saving\n".utf8.span)
    var number = await document.lines.first.flatMap { Int($0.first) } ?? 0
    while true {
      number += 1
      await document.replaceAll(with: Line("\(number)", "of this version"), count: number % 40 + 1)
      try await document.save()
    }
  }

  private static func listing(at path: String) -> any Listing {
    path.hasSuffix(".mystuff")
      ? ThingsDocument(path: path, autosaving: .off) : PeopleDocument(path: path, autosaving: .off)
  }
}
