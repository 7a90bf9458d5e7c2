import ArgumentParser

/// `-r` for the commands that always read folders with their subfolders, because `grep` and `ferry convert` need it.
struct RecursionHabit: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp("Has no effect: subfolders are always read.", visibility: .hidden))
  var recursive = false
}
