// The layout of the control flow: a graph in layers, by dagre (https://github.com/dagrejs/dagre). It has all cards and edges
// that there are at any step before continuations are merged, and all that jump threading adds. Each card has the room that it
// needs at most, so that nothing moves from one step to the next. A back edge leads to a card that is entered before; it is
// laid out in reverse, so that each loop begins at its entry.

const MAX_COLUMNS = 40; // of a line of a card

const MAX_LABEL = 24; // columns of a line of a label

/** The key of an edge. Edges of one card have different labels, or targets. */
const edgeKey = (source, label, target) => JSON.stringify([source, label, target]);

/** The room that each card needs, at the last step (`now`) and at `most`, in lines and columns; and all edges, by key. */
class Extent {
  constructor(view) {
    const room = () => ({ rows: 0, columns: 0, header: 0 });
    this.cards = view.cards.map((name) => ({ name, now: room(), most: room() }));
    this.edges = new Map();
    const lines = [];
    for (const { event, flow = [] } of view.steps) {
      this.isClosed ||= event === "close";
      this.isThreaded ||= event === "redirect";
      for (const [at, count, ...added] of flow) {
        for (const line of lines.splice(at, count)) this.count(line, -1);
        for (let i = 0; i < added.length; i += 10_000) lines.splice(at + i, 0, ...added.slice(i, i + 10_000));
        for (const line of added) this.count(line, 1);
      }
      for (const [, , ...added] of flow) for (const [number] of added) this.note(this.cards[number]);
    }
    for (const [number, ...line] of lines) {
      const { now } = this.cards[number];
      now.columns = Math.max(now.columns, columnsOf(line));
    }
  }

  /** Count an added line, or with -1 a deleted one. */
  count([number, ...line], sign) {
    const { name, now, most } = this.cards[number];
    const [kind, ...details] = line;
    if (kind === "parameter") now.header += sign * (details.join(" ").length + 3);
    if (kind === "edge" && (this.isThreaded || !this.isClosed)) this.addEdge(name, ...details);
    const columns = columnsOf(line);
    now.rows += sign * Math.ceil(columns / MAX_COLUMNS);
    most.columns = Math.max(most.columns, columns);
  }

  addEdge(source, label, target) {
    this.edges.set(edgeKey(source, label, target), { source, label, target });
  }

  note({ now, most }) {
    for (const each of ["rows", "header"]) most[each] = Math.max(most[each], now[each]);
  }
}

/** The columns of a line that a card shows; a longer one is wrapped. */
function columnsOf([kind, ...details]) {
  const indent = { statement: 1, transfer: 1, value: 6 }[kind];
  return indent ? details.at(-1).length + indent : 0;
}

/**
 * The layout of boxes and edges with sizes: the places of all, and the size of the whole. `order` numbers the boxes as they
 * are entered; layers have a distance.
 */
function layered(boxes, edges, loops, order, distance) {
  const layers = new graph.Graph({ multigraph: true, compound: true });
  layers.setGraph({ nodesep: 22, edgesep: 14, ranksep: distance, marginx: 16, marginy: 16 });
  for (const [name, size] of boxes) layers.setNode(`card ${name}`, { ...size });
  loops.forEach((_, index) => layers.setNode(`loop ${index}`, {}));
  loops.forEach(({ cards, around }, index) => {
    for (const name of cards) layers.setParent(`card ${name}`, `loop ${index}`);
    if (around !== null) layers.setParent(`loop ${index}`, `loop ${around}`);
  });
  for (const [key, { source, target, size }] of edges) {
    const ends = order.get(target) < order.get(source) ? [target, source] : [source, target];
    layers.setEdge(...ends.map((name) => `card ${name}`), { ...size, labelpos: "c" }, key);
  }
  graph.layout(layers);
  const routes = new Map();
  for (const { v, w, name } of layers.edges()) {
    const { points, x, y } = withMiddle(layers.edge(v, w, name));
    const { source } = edges.get(name);
    routes.set(name, { points: v === `card ${source}` ? points : [...points].reverse(), x, y });
  }
  const { width, height } = layers.graph();
  const place = (name) => layers.node(name);
  return {
    width,
    height,
    routes,
    cards: new Map([...boxes.keys()].map((name) => [name, place(`card ${name}`)])),
    loops: loops.map((_, index) => place(`loop ${index}`)),
  };
}

/** A route, whose label is in the middle if the layout has no room for it: it then is shown at few steps. */
function withMiddle({ points, ...label }) {
  return { points, ...points[Math.floor(points.length / 2)], ...label };
}

/** The path through points, with round corners, and the head of an arrow at its end. */
function curveThrough(points) {
  const middle = (one, other) => `${(one.x + other.x) / 2} ${(one.y + other.y) / 2}`;
  const bends = points.slice(1, -1).map((point, index) => `Q ${point.x} ${point.y} ${middle(point, points[index + 2])}`);
  const [before, end] = points.slice(-2);
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const barb = (turn) => `${end.x - 8 * Math.cos(angle + turn)} ${end.y - 8 * Math.sin(angle + turn)}`;
  const head = `M ${barb(0.45)} L ${end.x} ${end.y} L ${barb(-0.45)}`;
  return `M ${points[0].x} ${points[0].y} L ${middle(points[0], points[1])} ${bends.join(" ")} L ${end.x} ${end.y} ${head}`;
}
