// The line between the program and its views, moved by pointer and by arrow keys.
const splitter = document.getElementById("splitter");

function place(percent) {
  const rounded = Math.round(Math.min(100, Math.max(0, percent)));
  document.documentElement.style.setProperty("--left", `${rounded}%`);
  splitter.setAttribute("aria-valuenow", rounded);
}

splitter.addEventListener("pointerdown", (event) => splitter.setPointerCapture(event.pointerId));
splitter.addEventListener("pointermove", (event) => {
  if (splitter.hasPointerCapture(event.pointerId)) place((100 * event.clientX) / innerWidth);
});
splitter.addEventListener("keydown", (event) => {
  const now = Number(splitter.getAttribute("aria-valuenow"));
  const next = { ArrowLeft: now - 5, ArrowRight: now + 5, Home: 0, End: 100 }[event.key];
  if (next !== undefined) place(next);
});
place(42);
