extension PartedConversion {
  /// The outcome of the conversion.
  enum Outcome {
    case complete(Facts)
    /// One thread has to convert the input from its beginning, and write to this output.
    case incomplete(any ByteOutput)
    /// One thread has to convert the rest of the input.
    case begun(Rest)
  }

  /// The rest of a conversion of an input that can be read only once.
  struct Rest {
    let input: ContinuedInput
    let start: InputRest
    /// The output for the text of a list with the records of the rest.
    let output: JoinedOutput
    /// The last bytes of the output.
    let held: HeldOutput
    /// The facts about the input before its rest.
    let facts: Facts
  }

  /// The facts about the whole input that its parts show.
  struct Facts {
    var losses = Losses()
    /// The forms of the elements in selected elements of XML.
    var listForms = ListForms()
    /// The indices of the lists in the options that elements matched; nil if they are not needed.
    var usedLists: Set<Int>?
  }
}
