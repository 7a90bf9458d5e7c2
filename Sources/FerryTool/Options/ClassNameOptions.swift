import ArgumentParser

/// The option for new names of classes.
struct ClassNameOptions: ParsableArguments {
  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Rename a class, as in Person=MyApp.Person.", valueName: "old=new"),
    transform: ClassName.init(parsing:))
  var rules: [ClassName] = []

  func validate() throws { try rules.checkDistinct() }
}
