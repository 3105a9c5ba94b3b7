// The keyboard. ←, →, Home, End, and the keys of presenters step, wherever the focus is; fields of text use these keys
// themselves, buttons use the space bar. No key changes a closed list: the key opens it, and the list changes when the user
// chooses. Thus no key that is meant for the steps can choose a strategy, a function or a name.

const LIST_KEYS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Enter"]; // and each that types a character

/** What a key does to the steps of a page, or undefined. */
function actionByKey(event, page) {
  const isOfText = event.target.matches("input:not([type=range])");
  const isOfButton = event.key === " " && event.target.matches("button, summary");
  const isOfSeparator = event.target.matches("[role=separator]") && event.key.startsWith("Arrow");
  if (isOfText || isOfButton || isOfSeparator || hasModifier(event)) return undefined;
  if (["ArrowRight", "PageDown", " "].includes(event.key)) return () => page.advance();
  if (["ArrowLeft", "PageUp"].includes(event.key)) return () => page.goTo(page.stop(-1));
  return { Home: () => page.goTo(0), End: () => page.goTo(page.last) }[event.key];
}

/** Open a closed list for a key that would change it. Returns whether the key is one. */
function openList(event) {
  const isOfList = event.key.length === 1 || LIST_KEYS.includes(event.key);
  if (!event.target.matches("select") || !isOfList || hasModifier(event) || !event.target.showPicker) return false;
  event.preventDefault();
  event.target.showPicker();
  return true;
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }) {
  return altKey || ctrlKey || metaKey || shiftKey;
}

/** Give the focus to the step controls once the page has it; a page in a frame takes none from the page around it. */
function focusSteps() {
  if (document.hasFocus()) byId("slider").focus({ preventScroll: true });
  else window.addEventListener("focus", focusSteps, { once: true });
}

/** Give the focus to the button that shows a name in the control flow. */
function focusCard(name = "") {
  document.querySelector(`#flow button[data-name="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}
