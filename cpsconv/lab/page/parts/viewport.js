// The viewport of the control flow: zoom, fit, and a map of the whole, on which a click shows a part. It scrolls like all
// panes.

const MIN_LEGIBLE = 0.72; // the zoom below which a graph is fitted only on request

const MAP_SIZE = 110; // pixels

class Viewport {
  constructor(pane) {
    this.pane = pane;
    this.scroll = pane.querySelector(".scroll");
    this.canvas = pane.querySelector(".canvas");
    this.map = pane.querySelector(".map");
    Object.assign(this, { width: 1, height: 1, zoom: 1, isFitted: false, isFollowing: true });
    new ResizeObserver(() => this.update()).observe(this.scroll);
    this.scroll.addEventListener("scroll", () => this.showPart());
    this.scroll.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    pane.addEventListener("keydown", (event) => this.press(event));
    for (const kind of ["pointerdown", "pointermove"]) this.map.addEventListener(kind, (event) => this.point(event));
    const actions = { fit: () => this.fit(), smaller: () => this.zoomBy(0.8), larger: () => this.zoomBy(1.25) };
    for (const [name, act] of Object.entries(actions)) this.tool(name).addEventListener("click", act);
    this.tool("follow").addEventListener("click", () => this.follow(!this.isFollowing));
    addEventListener("beforeprint", () => this.setZoom(Math.min(1, 640 / this.width))); // the width of a page
    addEventListener("afterprint", () => this.update());
  }

  tool(name) {
    return this.pane.querySelector(`.bar .${name}`);
  }

  /** Show a graph of another size, as large as it fits, but legible. */
  enter({ width, height }) {
    Object.assign(this, { width, height, isFitted: false, isLegible: true });
    this.update();
  }

  /** The zoom at which the whole graph is seen. */
  get fitting() {
    const { clientWidth, clientHeight } = this.scroll;
    return Math.min(1, clientWidth / this.width, clientHeight / this.height);
  }

  /** Adapt the zoom to the size of the pane, unless the user chose it. */
  update() {
    if (!this.scroll.clientWidth) return; // the pane is not shown
    const { fitting } = this;
    this.setZoom(this.isFitted ? fitting : this.isLegible ? Math.max(MIN_LEGIBLE, fitting) : this.zoom);
  }

  fit() {
    this.isFitted = true;
    this.update();
  }

  zoomBy(factor) {
    Object.assign(this, { isFitted: false, isLegible: false });
    this.setZoom(Math.max(0.1, Math.min(this.zoom * factor, 3)));
  }

  /** Change the zoom, with the same place in the middle. */
  setZoom(zoom) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroll;
    const [x, y] = [(scrollLeft + clientWidth / 2) / this.zoom, (scrollTop + clientHeight / 2) / this.zoom];
    this.zoom = zoom;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.canvas.style.zoom = zoom;
    this.canvas.style.setProperty("--zoom", zoom);
    this.tool("zoom").textContent = `${Math.round(100 * zoom)} %`;
    this.scroll.scrollTo(x * zoom - clientWidth / 2, y * zoom - clientHeight / 2);
    this.showPart();
  }

  follow(isFollowing) {
    this.isFollowing = isFollowing;
    this.tool("follow").setAttribute("aria-pressed", String(isFollowing));
    if (isFollowing) this.reveal(this.shown);
  }

  /** Scroll to a card, unless it is seen or the view does not follow. */
  reveal(card) {
    this.shown = card;
    if (this.isFollowing) card?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const middle = (each) => (each.getBoundingClientRect().left + each.getBoundingClientRect().right) / 2;
    this.map.classList.toggle("left", card && middle(card) > middle(this.scroll)); // it hides no current card
  }

  turn(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  }

  press(event) {
    const act = { "+": () => this.zoomBy(1.25), "-": () => this.zoomBy(0.8), 0: () => this.fit() }[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }

  // --------------------------------------------------------------------------------------------------------- map

  /** Draw the map: boxes with their kinds and places. */
  drawMap(boxes) {
    const scale = MAP_SIZE / Math.max(this.width, this.height);
    this.map.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.map.setAttribute("width", Math.max(24, this.width * scale));
    this.map.setAttribute("height", Math.max(24, this.height * scale));
    this.part = drawn("rect", { class: "part" });
    this.map.replaceChildren(...boxes.map(({ kind, ...place }) => drawn("rect", { class: kind, ...corner(place) })), this.part);
    this.showPart();
  }

  /** Show on the map which part is seen; there is no map of a graph that is seen completely. */
  showPart() {
    const { scrollLeft: x, scrollTop: y, clientWidth, clientHeight, scrollWidth, scrollHeight } = this.scroll;
    this.map.classList.toggle("unused", scrollWidth <= clientWidth && scrollHeight <= clientHeight);
    const place = { x, y, width: clientWidth, height: clientHeight };
    for (const [name, value] of Object.entries(place)) this.part?.setAttribute(name, value / this.zoom);
  }

  point(event) {
    if (!event.buttons) return;
    const { left, top, width, height } = this.map.getBoundingClientRect();
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.scroll;
    const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
    this.scroll.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2);
  }
}

/** An element of a picture. */
function drawn(tag, attributes) {
  const created = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  return created;
}

/** The upper left corner and the size of a box, which is given by its middle. */
const corner = ({ x, y, width, height }) => ({ x: x - width / 2, y: y - height / 2, width, height });
