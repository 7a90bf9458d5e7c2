/// A directed graph in two arrays: where each vertex's edges begin, and where each edge leads.
///
///     0 → 1, 0 → 2, 2 → 0        starts   0 2 2 3
///                                targets  1 2 0
///
/// All walks over it take time and memory in proportion to its size, and none recurses.
struct Adjacency: Sendable {
  private var starts: [UInt32] = [0]
  private var targets: [UInt32] = []

  var vertexCount: Int { starts.count - 1 }
  var edgeCount: Int { targets.count }

  /// Adds an edge to the vertex that is being made.
  mutating func addEdge(to target: Int) { targets.append(UInt32(truncatingIfNeeded: target)) }

  /// The vertex being made has all its edges.
  mutating func finishVertex() { starts.append(UInt32(truncatingIfNeeded: targets.count)) }

  /// The edges of a vertex.
  func range(of vertex: Int) -> Range<Int> { Int(starts[vertex])..<Int(starts[vertex + 1]) }

  /// Where an edge leads.
  func target(_ edge: Int) -> Int { Int(targets[edge]) }

  /// Where the edges of a vertex lead.
  func targets(of vertex: Int) -> ArraySlice<UInt32> { targets[range(of: vertex)] }

  /// How many edges lead to each vertex, up to 255.
  func edgesTo() -> [UInt8] {
    var counts = [UInt8](repeating: 0, count: vertexCount)
    for target in targets where counts[Int(target)] < .max { counts[Int(target)] += 1 }
    return counts
  }
}

// MARK: - What can be reached

extension Adjacency {
  /// A walk from some vertices to all that they lead to, the nearest first.
  struct Search {
    /// How many vertices are on the shortest way to each, itself and the first counted; 0 for those not reached.
    private(set) var distances: [UInt32]
    /// The vertex before each on that way; itself for those the walk began at.
    private(set) var parents: [UInt32]

    fileprivate init(_ graph: Adjacency, from roots: [Int]) {
      distances = [UInt32](repeating: 0, count: graph.vertexCount)
      parents = distances
      var queue: [UInt32] = []
      for root in roots where distances[root] == 0 {
        distances[root] = 1
        parents[root] = UInt32(root)
        queue.append(UInt32(root))
      }
      var next = 0
      while next < queue.count {
        let vertex = queue[next]
        next += 1
        for target in graph.targets(of: Int(vertex)) where distances[Int(target)] == 0 {
          distances[Int(target)] = distances[Int(vertex)] + 1
          parents[Int(target)] = vertex
          queue.append(target)
        }
      }
    }
  }

  /// What some vertices lead to.
  func search(from roots: [Int]) -> Search { Search(self, from: roots) }
}

// MARK: - Cycles

extension Adjacency {
  /// The groups of vertices that all lead to each other (strongly connected components, by Tarjan's algorithm).
  struct Components {
    /// The group of each vertex. A group has a higher number than all groups that it leads to.
    private(set) var groups: [UInt32]
    /// How many vertices each group has.
    private(set) var sizes: [UInt32] = []
    /// For each group, the weight of the heaviest way down from it: that of its heaviest vertex, and of one way that leaves
    /// the group.
    private(set) var heights: [UInt32] = []

    /// A vertex whose edges are being followed.
    private struct Frame {
      let vertex: Int
      var edge: Int
    }

    fileprivate init(_ graph: Adjacency, weight: (Int) -> UInt32) {
      let count = graph.vertexCount
      groups = [UInt32](repeating: .max, count: count)
      /// When each vertex was met, from 1; 0 for those still to come.
      var order = [UInt32](repeating: 0, count: count)
      /// The earliest vertex of its open group that each is known to lead to.
      var earliest = order
      var met: UInt32 = 0
      var open: [UInt32] = []
      var frames: [Frame] = []
      func enter(_ vertex: Int) {
        met += 1
        (order[vertex], earliest[vertex]) = (met, met)
        open.append(UInt32(vertex))
        frames.append(Frame(vertex: vertex, edge: graph.range(of: vertex).lowerBound))
      }
      for start in 0..<count where order[start] == 0 {
        enter(start)
        while let frame = frames.last {
          if frame.edge < graph.range(of: frame.vertex).upperBound {
            frames[frames.count - 1].edge += 1
            let target = graph.target(frame.edge)
            if order[target] == 0 {
              enter(target)
            } else if groups[target] == .max {
              earliest[frame.vertex] = min(earliest[frame.vertex], order[target])
            }
            continue
          }
          frames.removeLast()
          if let parent = frames.last?.vertex {
            earliest[parent] = min(earliest[parent], earliest[frame.vertex])
          }
          if earliest[frame.vertex] == order[frame.vertex] {
            close(frame.vertex, &open, graph, weight)
          }
        }
      }
    }

    /// Makes a group of a vertex and all that were met after it and are in no group yet.
    private mutating func close(
      _ vertex: Int, _ open: inout [UInt32], _ graph: Adjacency, _ weight: (Int) -> UInt32
    ) {
      let group = UInt32(sizes.count)
      var members: [UInt32] = []
      while let member = open.popLast() {
        groups[Int(member)] = group
        members.append(member)
        if member == UInt32(vertex) { break }
      }
      var (heaviest, below): (UInt32, UInt32) = (0, 0)
      for member in members {
        heaviest = max(heaviest, weight(Int(member)))
        for target in graph.targets(of: Int(member)) where groups[Int(target)] != group {
          below = max(below, heights[Int(groups[Int(target)])])
        }
      }
      sizes.append(UInt32(members.count))
      heights.append(heaviest + below)
    }

    /// The weight of the heaviest way down from a vertex.
    func height(of vertex: Int) -> Int { Int(heights[Int(groups[vertex])]) }
  }

  /// The groups of vertices that lead to each other; `weight` is what each vertex adds to the height of a way.
  func components(weight: (Int) -> UInt32) -> Components { Components(self, weight: weight) }

  /// The groups that are cycles, by number: more than one vertex, or one that leads to itself.
  func cyclicGroups(_ components: Components) -> Set<UInt32> {
    var cyclic: Set<UInt32> = []
    for (group, size) in components.sizes.enumerated() where size > 1 { cyclic.insert(UInt32(group)) }
    for vertex in 0..<vertexCount where components.sizes[Int(components.groups[vertex])] == 1 {
      if targets(of: vertex).contains(UInt32(vertex)) { cyclic.insert(components.groups[vertex]) }
    }
    return cyclic
  }
}
