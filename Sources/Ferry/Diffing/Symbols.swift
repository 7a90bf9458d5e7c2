/// A numbering of elements in which equal elements have equal numbers.
struct Symbols<Element: Hashable> {
  private var numbers: [Element: Int] = [:]

  mutating func of(_ elements: some Sequence<Element>) -> [Int] {
    elements.map { element in
      let number = numbers[element] ?? numbers.count
      numbers[element] = number
      return number
    }
  }
}
