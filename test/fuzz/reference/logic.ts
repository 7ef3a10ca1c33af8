import { countOf, type Plain, plain } from './array.js';
import { float, maybe, type Reference, type ReferenceNode, type References, tensor } from './definition.js';
import { operandsOf, zip } from './elementwise-binary.js';
import { broadcastDims, broadcastOffsets } from './offsets.js';

const comparing =
  (f: (a: Plain, b: Plain) => boolean): Reference =>
  (node) => [zip(...operandsOf(node), 'bool', (a, b) => Number(f(a, b)))];

const Where: Reference = (node) => {
  const [condition, x, y] = [tensor(node, 0), tensor(node, 1), tensor(node, 2)];
  const dims = broadcastDims([condition.dims, x.dims, y.dims]);
  const [inCondition, inX, inY] = [condition, x, y].map((from) => broadcastOffsets(from.dims, dims)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const out = new Array<Plain>(countOf(dims));
  for (let i = 0; i < out.length; i++) {
    const taken = condition.data[inCondition[i] as number] ? x.data[inX[i] as number] : y.data[inY[i] as number];
    out[i] = taken as Plain;
  }
  return [plain(x.type, dims, out)];
};

/** Bounds are attributes before opset 11. */
const boundsOf = (node: ReferenceNode): (Plain | undefined)[] =>
  node.opset < 11
    ? ['min', 'max'].map((name) => (node.attributes[name] === undefined ? undefined : float(node, name, 0)))
    : [maybe(node, 1)?.data[0], maybe(node, 2)?.data[0]];

/** Where the lower bound is above the upper, the upper is the result. */
const Clip: Reference = (node) => {
  const { type, dims, data } = tensor(node, 0);
  const [low, high] = boundsOf(node);
  const clip = (x: Plain): Plain => {
    const raised = low !== undefined && x < low ? low : x;
    return high !== undefined && raised > high ? high : raised;
  };
  return [plain(type, dims, data.map(clip))];
};

export const LOGIC: References = {
  And: comparing((a, b) => a !== 0 && b !== 0),
  Or: comparing((a, b) => a !== 0 || b !== 0),
  Xor: comparing((a, b) => (a !== 0) !== (b !== 0)),
  Equal: comparing((a, b) => a === b),
  Greater: comparing((a, b) => a > b),
  Less: comparing((a, b) => a < b),
  GreaterOrEqual: comparing((a, b) => a >= b),
  LessOrEqual: comparing((a, b) => a <= b),
  Where,
  Clip,
};
