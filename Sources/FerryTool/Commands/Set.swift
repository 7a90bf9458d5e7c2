import ArgumentParser
import Ferry

/// `ferry set`: changes a value in place.
struct SetValue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change the value that a path leads to, in place; everything else stays as it is.",
    discussion: """
      The value takes the type of what stands there: a date stays a date, an object of a class its class. --type says \
      otherwise; --type json gives a whole array or dictionary, and {"$class": "Person", "first": "Ada"} an object.

        ferry set state.archive 'people[0].name' Ada
        ferry set state.archive saved 2024-05-06T07:08:09Z
        ferry set Theme.terminal BackgroundColor '#102030FF'
        ferry set state.archive window.frame.width 640
        ferry set state.archive tags '["a", "b"]' --type json
        ferry set image.plist icon --from-file icon.png
        date | ferry set notes.json edited -
        ferry set state.archive offset -5
        ferry set state.archive name -- -x           a text that begins with a dash

      Of an archive, every object that need not change keeps its number and bytes. XML property lists and JSON keep \
      their text but for the value. The file is replaced as a whole or not at all, and keeps its mode.
      """)

  @OptionGroup var change: ChangeOptions

  func run() throws { try change.perform(.set) }
}
