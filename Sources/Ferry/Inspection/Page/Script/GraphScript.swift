/// The part of a page's script that draws the classes as boxes, and the references between their objects as arrows.
enum GraphScript {
  static let text = #"""
    const mostBoxes = 20;
    const rootName = '(root)';

    // The numbers of objects of each class, and of references from the objects of one class to those of another. A reference
    // through an array, a set or a dictionary is one of the object that has it.
    function classGraph(model) {
      const boxes = new Map([[rootName, 0]]);
      const edges = new Map();
      const owners = [];
      const isBox = row => model.objects.has(row) && !isList(model, row);
      const connect = (from, to) => {
        const key = JSON.stringify([from, to]);
        edges.set(key, (edges.get(key) ?? 0) + 1);
      };
      for (let row = 0; row < model.count; row++) {
        while (owners.length && model.ends[owners[owners.length - 1]] <= row) owners.pop();
        const owner = owners.length ? model.type(owners[owners.length - 1]).name : rootName;
        if (isBox(row)) {
          const name = model.type(row).name;
          boxes.set(name, (boxes.get(name) ?? 0) + 1);
          connect(owner, name);
          owners.push(row);
        } else if (model.isReference(row)) {
          const target = model.target(row);
          if (target >= 0 && isBox(target)) connect(owner, model.type(target).name);
        }
      }
      return { boxes, edges: [...edges].map(([key, count]) => ({ ends: JSON.parse(key), count })) };
    }

    // Gives each box a column: one more than that of the boxes that refer to it, without the edges that close a circle.
    function layers(names, edges) {
      const targets = new Map(names.map(name => [name, []]));
      for (const edge of edges) if (edge.ends[0] !== edge.ends[1]) targets.get(edge.ends[0]).push(edge);
      const state = new Map();
      const order = [];
      for (const start of names) {
        if (state.has(start)) continue;
        const stack = [[start, 0]];
        state.set(start, 'open');
        while (stack.length) {
          const top = stack[stack.length - 1];
          const edge = targets.get(top[0])[top[1]++];
          if (!edge) { state.set(top[0], 'done'); order.push(top[0]); stack.pop(); continue; }
          const target = edge.ends[1];
          edge.isBack = state.get(target) === 'open';
          if (!state.has(target)) { state.set(target, 'open'); stack.push([target, 0]); }
        }
      }
      const layer = new Map(names.map(name => [name, 0]));
      for (const name of order.reverse()) {
        for (const edge of targets.get(name)) {
          if (!edge.isBack) layer.set(edge.ends[1], Math.max(layer.get(edge.ends[1]), layer.get(name) + 1));
        }
      }
      return layer;
    }

    // Gives each arrow that passes columns a point in each of them, so that it passes between the boxes.
    function addPoints(edges, layer) {
      edges.forEach((edge, index) => {
        edge.points = [];
        const [first, last] = edge.ends.map(name => layer.get(name));
        for (let at = first + 1; at < last; at++) {
          edge.points.push(`\u0000${index} ${at}`);
          layer.set(edge.points.at(-1), at);
        }
      });
    }

    // Orders the boxes and points of each column by the middle of their neighbors, so that few arrows cross.
    function ordered(edges, layer) {
      const columns = [];
      for (const [name, at] of layer) (columns[at] ??= []).push(name);
      const near = new Map([...layer.keys()].map(name => [name, []]));
      for (const edge of edges) {
        const stops = [edge.ends[0], ...edge.points, edge.ends[1]];
        for (let at = 1; at < stops.length; at++) {
          if (stops[at - 1] === stops[at]) continue;
          near.get(stops[at - 1]).push(stops[at]);
          near.get(stops[at]).push(stops[at - 1]);
        }
      }
      const place = new Map();
      const number = column => column.forEach((name, index) => place.set(name, index - column.length / 2));
      columns.forEach(number);
      for (let round = 0; round < 8; round++) {
        for (const column of round % 2 ? [...columns].reverse() : columns) {
          const middle = new Map(column.map(name => {
            const places = near.get(name).map(other => place.get(other));
            return [name, places.length ? places.reduce((sum, value) => sum + value, 0) / places.length : 0];
          }));
          column.sort((a, b) => middle.get(a) - middle.get(b));
          number(column);
        }
      }
      return columns;
    }

    function svg(tag, properties, ...children) {
      const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
      for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    }

    // Draws the graph; `choose` shows a class.
    function showGraph(element, model, choose) {
      const graph = classGraph(model);
      // The classes of the first objects, then those with most objects.
      const isFirst = name => name === rootName || graph.edges.some(edge => edge.ends[0] === rootName && edge.ends[1] === name);
      const first = new Set([...graph.boxes.keys()].filter(isFirst).slice(0, 8));
      const sorted = [...graph.boxes].sort((a, b) => first.has(b[0]) - first.has(a[0]) || b[1] - a[1]);
      const names = sorted.slice(0, mostBoxes).map(([name]) => name);
      const edges = graph.edges.filter(edge => edge.ends.every(name => names.includes(name)));
      const layer = layers(names, edges);
      addPoints(edges, layer);
      const boxes = placed(ordered(edges, layer), graph.boxes);
      const picture = drawing(boxes, edges, choose);
      // A wide picture shrinks a little before it scrolls.
      picture.style.width = `${Math.max(Math.min(boxes.width, element.clientWidth - 48), boxes.width * .75)}px`;
      const left = sorted.length - names.length;
      element.replaceChildren(picture, make('p', {},
        'Each box is a class with the number of its objects. Each arrow is the number of references from objects of one class to '
        + 'those of another, also through arrays, sets and dictionaries. A dashed arrow leads back.'
        + (left > 0 ? ` Classes left out, with fewer objects: ${left.toLocaleString('en')}.` : '')));
    }

    const boxHeight = 44;

    // The beginning and the end of a long name.
    const label = name => visible(name.length > 32 ? `${name.slice(0, 17)}…${name.slice(-14)}` : name);

    const isPoint = name => name.startsWith('\u0000');
    const heightOf = name => isPoint(name) ? 6 : boxHeight;

    // Gives boxes and points their places.
    function placed(columns, counts) {
      const boxes = new Map();
      const gap = 26;
      const heights = columns.map(column => column.reduce((sum, name) => sum + heightOf(name) + gap, 0));
      const height = Math.max(...heights);
      let x = 20;
      columns.forEach((column, index) => {
        const width = Math.max(...column.filter(name => !isPoint(name)).map(name => 30 + 8.1 * Math.max(label(name).length, 9)));
        let y = 40 + (height - heights[index]) / 2;
        for (const name of column) {
          boxes.set(name, { name, x, y, width, count: counts.get(name) });
          y += heightOf(name) + gap;
        }
        x += width + 92;
      });
      boxes.width = x - 72;
      boxes.height = height + 90;
      return boxes;
    }

    function drawing(boxes, edges, choose) {
      const picture = svg('svg', { width: boxes.width, height: boxes.height, viewBox: `0 0 ${boxes.width} ${boxes.height}`, role: 'group', 'aria-label': 'The graph of classes' });
      const arrow = svg('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto-start-reverse', markerUnits: 'userSpaceOnUse' },
        svg('path', { d: 'M0 0 8 4 0 8z', fill: 'context-stroke' }));
      picture.append(svg('defs', {}, arrow));
      const most = Math.max(1, ...edges.map(edge => edge.count));
      for (const edge of edges) picture.append(arrowOf(edge, boxes, most, edges));
      for (const box of boxes.values()) if (!isPoint(box.name)) picture.append(boxOf(box, picture, choose));
      return picture;
    }

    // The height at which an arrow leaves or reaches a box: the arrows of one side are apart.
    function port(box, edge, edges, side, boxes) {
      const next = other => boxes.get(other.points.at(side ? -1 : 0) ?? other.ends[1 - side]).y;
      const others = edges.filter(other => other.ends[side] === box.name && other.ends[0] !== other.ends[1])
        .sort((a, b) => next(a) - next(b));
      return box.y + boxHeight * (others.indexOf(edge) + 1) / (others.length + 1);
    }

    // The path of an arrow to the right, through its points.
    function pathThrough(stops) {
      let path = `M${stops[0].right} ${stops[0].y}`;
      for (let at = 1; at < stops.length; at++) {
        const [from, to] = [stops[at - 1], stops[at]];
        const bend = (to.left - from.right) / 2;
        path += `C${from.right + bend} ${from.y} ${to.left - bend} ${to.y} ${to.left} ${to.y}`;
        if (at < stops.length - 1) path += `H${to.right}`;
      }
      return path;
    }

    function arrowOf(edge, boxes, most, edges) {
      const [from, to] = edge.ends.map(name => boxes.get(name));
      const width = (1.1 + 2.4 * Math.log(edge.count) / Math.log(Math.max(most, 2))).toFixed(1);
      let path, x, y;
      const isBack = to.x <= from.x;
      if (from === to) {
        x = from.x + from.width / 2;
        y = from.y - 21;
        path = `M${x - 16} ${from.y}C${x - 22} ${y - 6} ${x + 22} ${y - 6} ${x + 16} ${from.y}`;
      } else if (isBack) {
        const [startX, startY] = [from.x + from.width / 2, from.y + boxHeight];
        const [endX, endY] = [to.x + to.width / 2, to.y + boxHeight];
        const low = Math.max(startY, endY) + 34;
        path = `M${startX} ${startY}C${startX} ${low} ${endX} ${low} ${endX} ${endY + 1}`;
        [x, y] = [(startX + endX) / 2, low - 6];
      } else {
        const stops = [
          { right: from.x + from.width, y: port(from, edge, edges, 0, boxes) },
          ...edge.points.map(name => boxes.get(name)).map(point => ({ left: point.x, right: point.x + point.width, y: point.y + 3 })),
          { left: to.x - 1, y: port(to, edge, edges, 1, boxes) },
        ];
        path = pathThrough(stops);
        [x, y] = [(stops[0].right + stops[1].left) / 2, (stops[0].y + stops[1].y) / 2 - 4];
      }
      const count = edge.count > 1 ? [svg('text', { x, y }, edge.count.toLocaleString('en'))] : [];
      const element = svg('g', { class: `edge${isBack && from !== to ? ' back' : ''}` },
        svg('title', {}, `${from.name} → ${to.name}: ${counted(edge.count, 'reference')}`),
        svg('path', { d: path, 'stroke-width': width, 'marker-end': 'url(#arrow)' }), ...count);
      element.ends = edge.ends;
      return element;
    }

    function boxOf(box, picture, choose) {
      const isRoot = box.name === rootName;
      const element = svg('g', { class: `box${isRoot ? ' start' : ''}`, tabindex: 0, role: isRoot ? 'img' : 'button', 'aria-label': `${box.name}, ${counted(box.count, 'object')}` },
        svg('title', {}, visible(box.name)),
        svg('rect', { x: box.x, y: box.y, width: box.width, height: boxHeight, rx: 8 }),
        svg('text', { class: 'name', x: box.x + 12, y: box.y + (isRoot ? 27 : 19) }, label(box.name)),
        ...(isRoot ? [] : [svg('text', { class: 'number', x: box.x + 12, y: box.y + 35 }, counted(box.count, 'object'))]));
      const focus = isOn => {
        picture.classList.toggle('focused', isOn);
        for (const edge of picture.querySelectorAll('.edge')) edge.classList.toggle('near', isOn && edge.ends.includes(box.name));
      };
      element.addEventListener('pointerenter', () => focus(true));
      element.addEventListener('pointerleave', () => focus(false));
      element.addEventListener('focus', () => focus(true));
      element.addEventListener('blur', () => focus(false));
      if (!isRoot) {
        element.addEventListener('click', () => choose(box.name));
        element.addEventListener('keydown', event => { if (event.key === 'Enter') choose(box.name); });
      }
      return element;
    }
    """#
}
