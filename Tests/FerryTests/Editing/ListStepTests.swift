import TestSupport
import Testing

@testable import Ferry

@Suite struct `The steps from one list to another` {
  /// Returns the list that steps make of an old one, with the elements of the new one. Checks that the steps take each element
  /// once and in order.
  private func result<Element: Equatable>(
    of steps: [ListStep], from old: [Element], to new: [Element]
  ) -> [Element] {
    var result: [Element] = []
    var (from, to) = (0, 0)
    for step in steps {
      switch step {
      case .keep(let index, let newIndex):
        #expect(index == from && newIndex == to && old[index] == new[newIndex])
        result.append(old[index])
        (from, to) = (from + 1, to + 1)
      case .replace(let index, let newIndex):
        #expect(index == from && newIndex == to)
        result.append(new[newIndex])
        (from, to) = (from + 1, to + 1)
      case .remove(let range):
        #expect(range.lowerBound == from && !range.isEmpty)
        from = range.upperBound
      case .insert(let range):
        #expect(range.lowerBound == to && !range.isEmpty)
        result += new[range]
        to = range.upperBound
      }
    }
    #expect(from == old.count && to == new.count)
    return result
  }

  @Test func `They give the new list, also if elements repeat`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let kinds = Int.random(in: 1...12, using: &generator)
      func list() -> [Int] {
        (0..<Int.random(in: 0...12, using: &generator)).map { _ in
          Int.random(in: 0..<kinds, using: &generator)
        }
      }
      let (old, new) = (list(), list())
      #expect(result(of: ListStep.steps(from: old, to: new), from: old, to: new) == new, "\(old) \(new)")
    }
  }

  @Test func `They keep what both lists have in the same order`() {
    let steps = ListStep.steps(from: Array("abcd"), to: Array("axcyd"))
    let kept = steps.filter { if case .keep = $0 { true } else { false } }
    #expect(kept.count == 3)
    #expect(steps.count == 5)
  }

  @Test func `They keep elements that have not moved, and moved ones that are still between these`() {
    // An element that has moved has a number of its own, and its old number as its identity.
    func steps(from old: [Int], to new: [Int]) -> [ListStep] {
      let steps = ListStep.steps(from: old, to: new, old, new.map { $0 % 100 })
      let kept = steps.map { step in
        if case .keep(let from, let to) = step { (old[from], new[to]) } else { (0, 0) }
      }
      #expect(kept.allSatisfy { $0.0 == $0.1 % 100 })
      return steps
    }
    func kept(_ steps: [ListStep]) -> [Int] {
      steps.compactMap { step in if case .keep(_, let to) = step { to } else { nil } }
    }
    #expect(kept(steps(from: [1, 2, 3], to: [103, 2])) == [1])
    #expect(kept(steps(from: [1, 2, 3, 4, 5], to: [1, 104, 3, 5])) == [0, 2, 3])
    #expect(kept(steps(from: [1, 2, 3], to: [102, 3])) == [0, 1])
    #expect(kept(steps(from: [1, 2, 3], to: [102, 2, 3])) == [1, 2])
    #expect(kept(steps(from: [1, 2, 3], to: [102, 103, 101])) == [0, 1])
  }

  @Test func `They are found in near-linear time if all elements have moved`() {
    // The number of differences times the length would be 80,000 million comparisons.
    let old = Array(0..<200_000)
    let new = Array(old.reversed())
    let steps = expectProcessorTime(atMost: .seconds(20)) { ListStep.steps(from: old, to: new) }
    #expect(result(of: steps, from: old, to: new) == new)
  }
}
