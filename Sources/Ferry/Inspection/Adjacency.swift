/// A directed graph in two arrays: for each vertex the index of its first edge, and for each edge its target.
///
///     0 → 1, 0 → 2, 2 → 0        starts   0 2 2 3
///                                targets  1 2 0
///
/// All algorithms take time and memory proportional to the size of the graph, and none recurses.
struct Adjacency: Hashable, Sendable {
  private var starts: [UInt32] = [0]
  private var targets: [UInt32] = []

  var vertexCount: Int { starts.count - 1 }

  /// Adds an edge from the current vertex, which `finishVertex()` completes.
  mutating func addEdge(to target: Int) { targets.append(UInt32(truncatingIfNeeded: target)) }

  /// Completes the current vertex.
  mutating func finishVertex() { starts.append(UInt32(truncatingIfNeeded: targets.count)) }

  /// Returns the indices of a vertex's outgoing edges.
  func range(of vertex: Int) -> Range<Int> { Int(starts[vertex])..<Int(starts[vertex + 1]) }

  /// Returns the target of an edge.
  func target(_ edge: Int) -> Int { Int(targets[edge]) }

  /// Returns the targets of a vertex's outgoing edges.
  func targets(of vertex: Int) -> ArraySlice<UInt32> { targets[range(of: vertex)] }

  /// Returns the number of incoming edges of each vertex, at most 255.
  func edgesTo() -> [UInt8] {
    var counts = [UInt8](repeating: 0, count: vertexCount)
    for target in targets where counts[Int(target)] < .max { counts[Int(target)] += 1 }
    return counts
  }
}

// MARK: - Reachable vertices

extension Adjacency {
  /// A breadth-first search from a list of vertices.
  struct Search {
    /// The number of vertices on the shortest path to each vertex, counting both ends, or 0 for unreachable
    /// vertices.
    private(set) var distances: [UInt32]
    /// The predecessor of each vertex on the shortest path. The predecessor of a starting vertex is the
    /// vertex itself.
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

  /// Searches the graph from the given vertices.
  func search(from roots: [Int]) -> Search { Search(self, from: roots) }
}

// MARK: - Cycles

extension Adjacency {
  /// The strongly connected components: groups of vertices that can all reach each other. Tarjan's algorithm
  /// finds them.
  struct Components {
    /// The group of each vertex. A group has a higher number than every group that it can reach.
    private(set) var groups: [UInt32]
    /// The number of vertices in each group.
    private(set) var sizes: [UInt32] = []
    /// For each group, the weight of the heaviest path that begins in it: the weight of the group's heaviest
    /// vertex, plus the heaviest path of a group that it leads to.
    private(set) var heights: [UInt32] = []

    /// A vertex whose outgoing edges are being followed.
    private struct Frame {
      let vertex: Int
      var edge: Int
    }

    fileprivate init(_ graph: Adjacency, weight: (Int) -> UInt32) {
      let count = graph.vertexCount
      groups = [UInt32](repeating: .max, count: count)
      /// The discovery number of each vertex, from 1, or 0 for undiscovered vertices.
      var order = [UInt32](repeating: 0, count: count)
      /// The smallest discovery number, within its unfinished group, that each vertex is known to reach.
      var earliest = order
      var discovered: UInt32 = 0
      var open: [UInt32] = []
      var frames: [Frame] = []
      func enter(_ vertex: Int) {
        discovered += 1
        (order[vertex], earliest[vertex]) = (discovered, discovered)
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

    /// Makes a group of a vertex and all later discovered vertices that have no group yet.
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

    /// Returns the weight of the heaviest path that begins at a vertex.
    func height(of vertex: Int) -> Int { Int(heights[Int(groups[vertex])]) }
  }

  /// Returns the strongly connected components.
  ///
  /// - Parameter weight: Returns the weight of a vertex in the height of a path.
  func components(weight: (Int) -> UInt32) -> Components { Components(self, weight: weight) }

  /// Returns the numbers of the groups that contain a cycle: groups of several vertices, and vertices with an
  /// edge to themselves.
  func cyclicGroups(_ components: Components) -> Set<UInt32> {
    var cyclic: Set<UInt32> = []
    for (group, size) in components.sizes.enumerated() where size > 1 { cyclic.insert(UInt32(group)) }
    for vertex in 0..<vertexCount where components.sizes[Int(components.groups[vertex])] == 1 {
      if targets(of: vertex).contains(UInt32(vertex)) { cyclic.insert(components.groups[vertex]) }
    }
    return cyclic
  }
}
