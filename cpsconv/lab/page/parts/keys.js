// The keyboard. ←, →, Home and End step, wherever the focus is; fields of text and the slider use these keys themselves.
// No key changes a closed list: the key opens it, and the list changes when the user chooses. Thus no key that is meant
// for the steps can choose a strategy, a function or a name.

const LIST_KEYS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Enter"]; // and each that types a character

/** The step to which a key leads from `step`, or undefined. */
function stepByKey(event, step, last) {
  if (event.target.matches("input") || hasModifier(event)) return undefined;
  return { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: last }[event.key];
}

/** Open a closed list for a key that would change it. */
function openList(event) {
  const isOfList = event.key.length === 1 || LIST_KEYS.includes(event.key);
  if (!event.target.matches("select") || !isOfList || hasModifier(event) || !event.target.showPicker) return;
  event.preventDefault();
  event.target.showPicker();
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }) {
  return altKey || ctrlKey || metaKey || shiftKey;
}

/** Give the focus to the step controls, after a choice. */
function focusSteps() {
  byId("slider").focus({ preventScroll: true });
}

/** Give the focus to the button that shows a name in the control flow. */
function focusCard(name = "") {
  document.querySelector(`#flow button[data-name="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}
