// The comparison of strategies: the same place in the construction with another strategy, and the numbers of parameters.

/**
 * The step of `after` for a step of `before`, the same construction with another strategy: for the last step, the last
 * one; otherwise a step of the same request of the front end, if possible the one with the same sentence, or else its
 * last one for its last one, and its first one for others. A construction that simplifies may lack a request: then the
 * one before it counts.
 */
function counterpart(before, step, after) {
  if (step === before.length - 1) return after.length - 1;
  const known = new Set(after.map(({ request }) => request));
  let at = step;
  while (at > 0 && !known.has(before[at].request)) at--;
  const { request, text } = before[at];
  const steps = [...after.keys()].filter((each) => after[each].request === request);
  const isEnd = before[at + 1].request !== request;
  return steps.find((each) => after[each].text === text) ?? steps.at(isEnd ? -1 : 0) ?? 0;
}

/** The numbers of parameters of a strategy, in short; `left` is null without Algorithm 5. */
function shortCounts({ placed, kept, left }) {
  return `${placed} placed, ${kept} kept${left === null ? "" : `, ${left} minimal`}`;
}

function longCounts({ placed, removed, kept, left }) {
  const afterwards = left === null ? "" : `; ${left} are left without the unused and the redundant ones (Algorithm 5)`;
  return `${placed} parameters placed, ${removed} of them removed as trivial, ${kept} kept${afterwards}`;
}
