/// The part of a page's script that finds the references to and from an object.
enum ReferenceScript {
  static let text = #"""
    // The references between the objects of a model, found when they are needed first.
    class References {
      constructor(model) { this.model = model; }

      // The rows of the references to each object, by the object's row.
      get incoming() {
        if (!this.known) {
          this.known = new Map();
          for (let row = 0; row < this.model.count; row++) {
            if (!this.model.isReference(row)) continue;
            const target = this.model.target(row);
            if (target < 0) continue;
            const rows = this.known.get(target);
            if (rows) rows.push(row); else this.known.set(target, [row]);
          }
        }
        return this.known;
      }

      // The rows that refer to an object: that of the object itself, which is in the value around it, and the references.
      to(row) {
        const around = this.model.parents[row] >= 0 && this.model.objects.has(row) ? [row] : [];
        return [...around, ...(this.incoming.get(row) ?? [])];
      }

      // The objects and references directly in an object, without those in objects inside it.
      from(row, limit) {
        const rows = [];
        let at = row + 1;
        while (at < this.model.ends[row] && rows.length <= limit) {
          const isObject = this.model.objects.has(at) && !isList(this.model, at);
          if (isObject || this.model.isReference(at)) rows.push(at);
          at = isObject ? this.model.ends[at] : at + 1;
        }
        return rows;
      }

      // The object around a row, or -1.
      owner(row) {
        for (let at = this.model.parents[row]; at >= 0; at = this.model.parents[at]) {
          if (this.model.objects.has(at) && !isList(this.model, at)) return at;
        }
        return -1;
      }
    }

    // True for an object that only holds others: an array, a set or a dictionary.
    function isList(model, row) {
      const type = model.type(row);
      if ('az'.includes(model.kinds[row]) || !type) return true;
      return [type.name, ...type.superclasses].some(name => /^NS(Mutable)?Dictionary$/.test(name));
    }
    """#
}
