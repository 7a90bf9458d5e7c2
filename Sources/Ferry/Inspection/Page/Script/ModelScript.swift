/// The part of a page's script that reads the values from the columns of the data block.
enum ModelScript {
  static let text = #"""
    // An element with properties and children. Text of a file becomes text nodes only, never HTML.
    function make(tag, properties = {}, ...children) {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : value);
      }
      element.append(...children.filter(child => child !== null && child !== undefined));
      return element;
    }

    const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

    // A text with control characters made visible, on one line.
    const visible = text => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, character =>
      ({ '\n': '⏎', '\t': '⇥' })[character] ?? `\\u{${character.codePointAt(0).toString(16)}}`);

    // The values of a file. Rows are numbered; a collection comes before its parts.
    class Model {
      constructor(values) {
        Object.assign(this, { kinds: values.kinds, keys: values.keys, values: values.values });
        Object.assign(this, { names: values.names, texts: values.texts, classes: values.classes });
        this.count = this.kinds.length;
        this.cut = Model.pairs(values.cut);
        this.hidden = Model.pairs(values.hidden);
        this.bases = new Map(values.bases.map(base => [base.node, base.path ?? null]));
        this.data = new Map(values.data.map(data => [data.node, data]));
        this.objects = new Map();
        this.targets = new Map();
        this.linkRows();
        this.linkObjects(values.objects);
        this.listed = new Map();
      }

      static pairs(list) {
        const map = new Map();
        for (let index = 0; index < list.length; index += 2) map.set(list[index], list[index + 1]);
        return map;
      }

      // Finds for each row its parent, its index among the parts, its depth, and the end of its parts.
      linkRows() {
        this.parents = new Int32Array(this.count);
        this.indices = new Int32Array(this.count);
        this.depths = new Int32Array(this.count);
        this.ends = new Int32Array(this.count);
        const open = [];
        const left = [];
        for (let row = 0; row < this.count; row++) {
          while (open.length && left[left.length - 1] === 0) { this.ends[open.pop()] = row; left.pop(); }
          const parent = open.length ? open[open.length - 1] : -1;
          this.parents[row] = parent;
          this.depths[row] = open.length;
          if (parent >= 0) this.indices[row] = this.values[parent] - left[left.length - 1]--;
          this.ends[row] = row + 1;
          if (this.isCollection(row)) { open.push(row); left.push(this.values[row]); }
        }
        while (open.length) this.ends[open.pop()] = this.count;
      }

      linkObjects(objects) {
        objects.nodes.forEach((row, index) => {
          const found = this.objects.get(row) ?? { type: null, identity: null };
          if (objects.classes[index] >= 0) found.type = this.classes[objects.classes[index]];
          if (objects.identities[index] >= 0) {
            found.identity = objects.identities[index];
            if (!this.targets.has(found.identity)) this.targets.set(found.identity, row);
          }
          this.objects.set(row, found);
        });
      }

      isCollection(row) { return 'aoz'.includes(this.kinds[row]); }
      isReference(row) { return this.kinds[row] === 'l'; }
      type(row) { return this.objects.get(row)?.type ?? null; }
      text(row) { return this.texts[this.values[row]]; }
      target(row) { return this.targets.get(this.values[row]) ?? -1; }
      partCount(row) { return this.isCollection(row) ? this.values[row] : 0; }

      // The rows of the parts of a collection.
      parts(row) {
        let parts = this.listed.get(row);
        if (!parts) {
          parts = new Int32Array(this.partCount(row));
          let part = row + 1;
          for (let index = 0; index < parts.length; index++) { parts[index] = part; part = this.ends[part]; }
          this.listed.set(row, parts);
        }
        return parts;
      }

      // The part for a key, or -1.
      part(row, name) {
        for (const part of this.isCollection(row) ? this.parts(row) : []) {
          if (this.keys[part] && this.key(part) === name) return part;
        }
        return -1;
      }

      // The key of a row, or null for an element and the root.
      key(row) { return this.keys[row] ? this.names[Math.abs(this.keys[row]) - 1] : null; }

      // The path of a row as `ferry get` takes it, or null if a key on the way has no notation.
      path(row) {
        const steps = [];
        const root = this.ancestors(row)[0] ?? row;
        const base = this.bases.get(root);
        if (base === null || base !== undefined && row === root) return null;
        for (let at = row; this.parents[at] >= 0; at = this.parents[at]) {
          if (this.keys[at] < 0) return null;
          const isFirst = !base && this.parents[this.parents[at]] < 0;
          steps.push(this.keys[at] ? Model.step(this.key(at), isFirst) : `[${this.indices[at]}]`);
        }
        return ((base ?? '') + steps.reverse().join('')).replace(/^\./, '') || '.';
      }

      // A path does not begin with a dash, because the command would take it for an option.
      static step(key, isFirst) {
        const isPlain = !(isFirst && key.startsWith('-')) && key !== '' && key !== '$' && !/^[#\/:]/.test(key) && !/[\u0000-\u0020\u007f-\u00a0.\[\]"'\\]/.test(key);
        if (isPlain) return `.${key}`;
        const quoted = key.replace(/["\\]/g, '\\$&').replace(/[\u0000-\u001f\u007f-\u009f]/g, character =>
          `\\u{${character.charCodeAt(0).toString(16)}}`);
        return `["${quoted}"]`;
      }

      ancestors(row) {
        const rows = [];
        for (let at = this.parents[row]; at >= 0; at = this.parents[at]) rows.push(at);
        return rows.reverse();
      }
    }
    """#
}
