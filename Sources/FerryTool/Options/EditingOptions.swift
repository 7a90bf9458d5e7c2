import ArgumentParser

/// The options that `set`, `insert`, `remove`, `move`, `copy` and `patch` share.
struct EditingOptions: ParsableArguments {
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var paths: PathOptions
  @OptionGroup var lenient: LenientOptions
  @OptionGroup var classes: CatalogOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var destination: EditOptions
  @OptionGroup var folder: FolderEditOptions
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup var aliases: AliasOptions
  @OptionGroup(title: XMLOptions.title) var entities: XMLEntityOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVCellOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    try types.checkOnlyFile()
    guard destination.output == nil || !folder.areSeveral else {
      let files = folder.recursive ? "the files of a folder" : "several files"
      throw ValidationError("-o cannot be used with \(folder.option), which changes \(files) in place")
    }
  }
}
