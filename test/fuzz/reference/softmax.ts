import { axisOf, countOf, plain } from './array.js';
import { int, type Reference, type ReferenceNode, type References, tensor } from './definition.js';
import { isFloat } from './number-types.js';
import { type Lanes, lanesOver } from './reductions.js';

/** Before opset 13 the axes from `axis` on are one. */
function lanesOf(node: ReferenceNode): Lanes {
  const { dims } = tensor(node, 0);
  if (node.opset >= 13) return lanesOver(dims, [int(node, 'axis', -1)], true);
  const axis = axisOf(int(node, 'axis', 1), dims.length);
  return lanesOver(dims, Array.from(dims.keys()).slice(axis), true);
}

export function softmax(lane: readonly number[]): number[] {
  const max = lane.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  const exponentials = lane.map((x) => Math.exp(x - max));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  return exponentials.map((x) => x / sum);
}

function logSoftmax(lane: readonly number[]): number[] {
  const max = lane.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  const sum = Math.log(lane.reduce((sum, x) => sum + Math.exp(x - max), 0));
  return lane.map((x) => x - max - sum);
}

function hardmax(lane: readonly number[]): number[] {
  let best = 0;
  lane.forEach((x, i) => {
    if (x > (lane[best] as number)) best = i;
  });
  return lane.map((_, i) => Number(i === best));
}

const normalizing =
  (f: (lane: readonly number[]) => number[]): Reference =>
  (node) => {
    const { type, dims, data } = tensor(node, 0);
    if (!isFloat(type)) return undefined;
    const { starts, places } = lanesOf(node);
    const out = new Array<number>(countOf(dims));
    for (const start of starts) {
      const lane = f(Array.from(places, (place) => data[start + place] as number));
      for (let i = 0; i < lane.length; i++) out[start + (places[i] as number)] = lane[i] as number;
    }
    return [plain(type, dims, out)];
  };

export const SOFTMAX: References = {
  Softmax: normalizing(softmax),
  LogSoftmax: normalizing(logSoftmax),
  Hardmax: normalizing(hardmax),
};
