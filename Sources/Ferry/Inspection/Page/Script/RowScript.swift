/// The part of a page's script that shows a value in one line.
enum RowScript {
  static let text = #"""
    const styles = { s: 'string', i: 'number', r: 'number', m: 'number', e: 'number', b: 'number', t: 'number', n: 'faint', u: 'id' };
    const kindNames = {
      n: 'null', b: 'boolean', i: 'integer', r: 'real', m: 'real (32 bits)', e: 'decimal', s: 'string', d: 'data', t: 'date',
      u: 'UID', a: 'array', z: 'set', o: 'dictionary', l: 'reference',
    };

    // The color in a text such as #FF8000, #FF8000FF or #1 0.5 0 1, for CSS; null for other texts.
    function colorOf(text) {
      if (/^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text)) return text;
      const parts = /^#([0-9.e-]+) ([0-9.e-]+) ([0-9.e-]+)(?: ([0-9.e-]+))?$/i.exec(text);
      if (!parts) return null;
      const [red, green, blue, opacity] = parts.slice(1).map(part => part === undefined ? 1 : Number(part));
      if (![red, green, blue, opacity].every(part => part >= 0 && part <= 1)) return null;
      return `rgb(${red * 100}% ${green * 100}% ${blue * 100}% / ${opacity})`;
    }

    // A color in short, as #RRGGBB, with its opacity unless that is full.
    function colorName(color) {
      const parts = /^rgb\(([\d.e-]+)% ([\d.e-]+)% ([\d.e-]+)% \/ ([\d.e-]+)\)$/.exec(color);
      if (!parts) return color.replace(/^(#[0-9a-f]{6})ff$/i, '$1').toUpperCase();
      const step = part => Math.round(part).toString(16).padStart(2, '0');
      const opacity = Number(parts[4]) === 1 ? '' : step(parts[4] * 255);
      return `#${parts.slice(1, 4).map(part => step(part * 2.55)).join('')}${opacity}`.toUpperCase();
    }

    // The color of a row: of a text, or of an object with a color.
    function colorAt(model, row, depth = 0) {
      if (model.kinds[row] === 's') return colorOf(model.text(row));
      if (model.kinds[row] !== 'o' || !/Color/.test(model.type(row)?.name ?? '') || depth > 3) return null;
      const color = model.part(row, 'color');
      if (color >= 0) return colorAt(model, color, depth + 1);
      const value = model.part(row, 'value');
      return value >= 0 ? colorAt(model, value, depth + 1) : printedColor(model, row);
    }

    // The color of components in cyan, magenta, yellow and black.
    function printedColor(model, row) {
      const list = model.part(row, 'components');
      if (list < 0 || model.partCount(list) < 4) return null;
      const [cyan, magenta, yellow, black, opacity = 1] = [...model.parts(list)].map(part => Number(model.text(part)));
      const channels = [cyan, magenta, yellow].map(ink => Math.round(255 * (1 - ink) * (1 - black)));
      return [...channels, opacity].every(Number.isFinite) ? `rgb(${channels.join(' ')} / ${opacity})` : null;
    }

    function swatch(color) {
      const element = make('span', { class: 'swatch', 'aria-hidden': 'true' });
      element.style.setProperty('--paint', color);
      return element;
    }

    function picture(data, name) {
      const image = make('img', { class: name, alt: data.summary, src: `data:${data.type};base64,${data.base64}` });
      image.addEventListener('error', () => image.remove());
      return image;
    }

    const shorten = (text, length) => text.length > length ? `${text.slice(0, length)}…` : text;
    const quoted = text => `"${visible(text)}"`;

    // A scalar as text.
    function scalarText(model, row, length = 400) {
      const text = model.text(row);
      switch (model.kinds[row]) {
        case 's': return quoted(shorten(text, length)) + (model.cut.has(row) && text.length <= length ? '…' : '');
        case 'd': {
          const data = model.data.get(row);
          return `<${data.summary}, ${counted(data.bytes, 'byte')}${text ? `: ${shorten(text, 23)}` : ''}>`;
        }
        default: return text;
      }
    }

    // The size of a collection in words.
    function size(model, row) {
      const count = model.partCount(row) + (model.hidden.get(row) ?? 0);
      return counted(count, model.kinds[row] === 'o' ? 'key' : 'element');
    }

    // The first scalars of a collection in a few words.
    function glimpse(model, row) {
      const color = colorAt(model, row);
      if (color) {
        const name = ['name', 'colorSpace'].map(key => model.part(row, key)).find(part => part >= 0 && model.kinds[part] === 's');
        return [color.startsWith('rgb') && !color.includes('%') ? 'CMYK' : colorName(color), name === undefined ? '' : visible(model.text(name))].join('  ');
      }
      const words = [];
      const isKeyed = model.kinds[row] === 'o';
      for (let part = row + 1, seen = 0; part < model.ends[row] && seen < 8 && words.length < 4; part = model.ends[part], seen++) {
        if (model.isCollection(part) || model.isReference(part) || 'd'.includes(model.kinds[part])) continue;
        const text = shorten(scalarText(model, part, 40), 44);
        words.push(isKeyed ? `${visible(shorten(model.key(part), 30))}: ${text}` : text);
      }
      return words.join(', ');
    }

    // The name of the object at a row: its class and number.
    function objectName(model, row) {
      const object = model.objects.get(row);
      const number = object?.identity === null || object?.identity === undefined ? '' : ` #${object.identity}`;
      return (object?.type ? visible(object.type.name) : kindNames[model.kinds[row]]) + number;
    }

    // A text with the searched parts marked.
    function marked(text, needle) {
      if (!needle) return [text];
      const parts = [];
      const lower = text.toLowerCase();
      if (lower.length !== text.length) return [text];
      let from = 0;
      for (let at = lower.indexOf(needle); at >= 0 && parts.length < 40; at = lower.indexOf(needle, from)) {
        parts.push(text.slice(from, at), make('mark', {}, text.slice(at, at + needle.length)));
        from = at + needle.length;
      }
      return [...parts, text.slice(from)];
    }

    // The elements of a row after its toggle: key, class, number and value.
    function rowContent(model, row, { needle, isOpen, follow }) {
      const content = [];
      const key = model.key(row);
      if (key !== null) content.push(make('span', { class: 'key' }, ...marked(visible(shorten(key, 200)), needle)), ': ');
      else if (model.parents[row] >= 0) content.push(make('span', { class: 'index' }, `${model.indices[row]}`), '  ');
      const object = model.objects.get(row);
      const opened = model.data.get(row);
      if (opened && model.kinds[row] !== 'd') {
        content.push(make('span', { class: 'file', title: counted(opened.bytes, 'byte') }, opened.summary.replace(/^an? /, '')), ' ');
      }
      if (object?.type) content.push(make('span', { class: isList(model, row) ? 'class list' : 'class' }, ...marked(visible(object.type.name), needle)), ' ');
      if (object && object.identity !== null) content.push(make('span', { class: 'id' }, `#${object.identity}`), ' ');
      const color = colorAt(model, row);
      if (color) content.push(swatch(color));
      if (opened?.base64) content.push(picture(opened, 'small'));
      content.push(...valueContent(model, row, needle, isOpen, follow));
      return content;
    }

    function valueContent(model, row, needle, isOpen, follow) {
      if (model.isReference(row)) {
        const target = model.target(row);
        if (target < 0) return [make('span', { class: 'id' }, `→ #${model.values[row]}`)];
        return [make('button', { class: 'follow', type: 'button', tabindex: -1, onclick: () => follow(row) }, `→ ${objectName(model, target)}`)];
      }
      if (model.isCollection(row)) {
        const text = isOpen ? '' : glimpse(model, row);
        const count = text && colorAt(model, row) ? '' : size(model, row) + (text ? '  ' : '');
        return [make('span', { class: 'faint' }, count, ...marked(text, needle))];
      }
      return [make('span', { class: styles[model.kinds[row]] ?? 'faint' }, ...marked(scalarText(model, row), needle))];
    }
    """#
}
