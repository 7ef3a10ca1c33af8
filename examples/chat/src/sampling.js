/**
 * Samples a token from the most probable ones that together have the probability `topP`. Temperature 0 returns the most probable token.
 * @param {Float32Array} logits
 * @param {{ temperature?: number, topP?: number, random?: () => number }} [options]
 */
export function sample(logits, { temperature = 1, topP = 1, random = Math.random } = {}) {
  const max = logits.reduce((a, b) => Math.max(a, b));
  if (temperature === 0) return logits.indexOf(max);
  const weights = logits.map((x) => Math.exp((x - max) / temperature));
  const total = weights.reduce((a, b) => a + b);
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  const { kept, sum } = nucleus(order, weights, topP * total);
  return drawn(kept, weights, random() * sum);
}

function nucleus(order, weights, enough) {
  let sum = 0;
  const last = order.findIndex((id) => {
    sum += weights[id];
    return sum >= enough;
  });
  return { kept: last < 0 ? order : order.slice(0, last + 1), sum };
}

function drawn(ids, weights, target) {
  let sum = 0;
  return (
    ids.find((id) => {
      sum += weights[id];
      return sum > target;
    }) ?? ids[ids.length - 1]
  );
}
