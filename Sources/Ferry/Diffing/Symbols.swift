/// A numbering of values in which equal values have equal numbers.
struct Symbols {
  private var numbers: [Value: Int] = [:]

  mutating func of(_ values: [Value]) -> [Int] {
    values.map { value in
      let number = numbers[value] ?? numbers.count
      numbers[value] = number
      return number
    }
  }
}
