import type { NodeProto } from '../../../../build/onnx.js';
import type { Size } from '../../../graph/sizes.js';
import { block, int, ints, numberAt, withAttributes, withInputs, withoutAttributes } from '../node.js';
import {
  type Draft,
  dimsAt,
  draftOf,
  given,
  neededDims,
  neededElement,
  type Recipe,
  type Recipes,
  type Step,
} from '../step.js';

/** The operator that gives the same result with swapped operands. */
const MIRRORED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['Add', 'Mul', 'And', 'Or', 'Xor', 'Equal'].map((name) => [name, name])),
  Greater: 'Less',
  Less: 'Greater',
};

const one = (dim: Size) => dim === 1;

/**
 * The axis of `a` at which the sizes of `b` start, without its leading and trailing ones; undefined if they do not
 * match.
 */
export function placeIn(a: readonly Size[], b: readonly Size[]): { axis: number; ones: number[] } | undefined {
  const all = [...b.keys()];
  const first = b.findIndex((dim) => dim !== 1);
  if (first < 0) return b.length <= a.length ? { axis: a.length - b.length, ones: [] } : undefined;
  const last = b.findLastIndex((dim) => dim !== 1);
  const axis = a.length - b.length + first;
  const isPart = axis >= 0 && b.slice(first, last + 1).every((dim, i) => dim === a[axis + i]);
  return isPart ? { axis, ones: all.filter((i) => i < first || i > last) } : undefined;
}

const same = (a: readonly Size[], b: readonly Size[]) => a.length === b.length && a.every((dim, i) => dim === b[i]);

/**
 * Replaces `broadcast` and `axis`. Before version 7, the second operand matches axes of the first from `axis` on, or
 * the last.
 */
const explicitly: Recipe = (step) => {
  const axis = numberAt(step.node, 'axis');
  const node = withoutAttributes(step.node, 'axis', 'broadcast');
  if (axis === undefined) return [node];
  const [a, b] = [neededDims(step, 0), neededDims(step, 1)];
  const from = axis < 0 ? axis + a.length : axis;
  const behind = a.length - from - b.length;
  if (behind <= 0) return [node];
  const axes = Array.from({ length: behind }, (_, i) => b.length + i);
  const draft = draftOf(step);
  const spread = draft.emit('Unsqueeze', [node.input[1] as string], [ints('axes', axes)]);
  return [...draft.nodes, withInputs(node, [node.input[0] as string, spread])];
};

const implicitly: Recipe = (step) => {
  const [a, b] = [neededDims(step, 0), neededDims(step, 1)];
  if (same(a, b)) return [step.node];
  const straight = placed(step, 0, 1);
  const mirrored = MIRRORED[step.node.opType];
  return (
    straight ??
    (mirrored ? placed(step, 1, 0, mirrored) : undefined) ??
    block('the older version does not support this broadcasting')
  );
};

/**
 * Emits the node with `broadcast` for operands `i` and `j`, in this order; undefined if the shapes do not permit it.
 */
function placed(step: Step, i: number, j: number, opType = step.node.opType): readonly NodeProto[] | undefined {
  const [own, b] = [neededDims(step, i), neededDims(step, j)];
  // The result has the rank of the first operand.
  const a = [...Array<number>(Math.max(b.length - own.length, 0)).fill(1), ...own];
  const place = placeIn(a, b);
  if (!place) return undefined;
  const draft = draftOf(step);
  const outer = unsqueezed(step, draft, i, a.length - own.length);
  if (same(a, b)) return draft.end(opType, [outer, step.node.input[j] as string]);
  const inner = squeezed(step, draft, j, place.ones);
  const isSuffix = place.axis + b.length - place.ones.length === a.length;
  const attributes = isSuffix ? [int('broadcast', 1)] : [int('broadcast', 1), int('axis', place.axis)];
  return draft.end(opType, [outer, inner], attributes);
}

function unsqueezed(step: Step, draft: Draft, i: number, count: number): string {
  const name = step.node.input[i] as string;
  if (count === 0) return name;
  return draft.emit('Unsqueeze', [name], [ints('axes', [...Array(count).keys()])]);
}

function squeezed(step: Step, draft: Draft, i: number, axes: readonly number[]): string {
  const name = step.node.input[i] as string;
  if (axes.length === 0) return name;
  return draft.emit('Squeeze', [name], [ints('axes', axes)]);
}

/** Replaces Sum and Mean of different shapes by additions of two operands. */
const summed: Recipe = (step) => {
  const { node } = step;
  const known = node.input.map((_, i) => dimsAt(step, i));
  const [first] = known;
  if (node.input.length === 1 || (first && known.every((dims) => dims && same(dims, first)))) return [node];
  if (node.opType !== 'Sum' && node.opType !== 'Mean')
    return block('the older version does not broadcast, and the operands may differ in shape');
  const draft = draftOf(step);
  const inner = node.input.slice(1, node.opType === 'Sum' ? -1 : undefined);
  const sum = inner.reduce((left, right) => draft.emit('Add', [left, right]), node.input[0] as string);
  if (node.opType === 'Sum') return draft.end('Add', [sum, node.input.at(-1) as string]);
  return draft.end('Div', [sum, draft.constant(neededElement(step, 0), [], [node.input.length])]);
};

/** Unsqueezes a vector of slopes, which applies to the channels, not to the last axis. */
const slopesUp: Recipe = (step) => {
  const { node } = step;
  const slopes = neededDims(step, 1);
  if (slopes.length !== 1 || slopes[0] === 1) return [node];
  const rank = neededDims(step, 0).length;
  if (rank < 3) return [node];
  const axes = Array.from({ length: rank - 2 }, (_, i) => i + 1);
  const draft = draftOf(step);
  return draft.end('PRelu', [
    node.input[0] as string,
    draft.emit('Unsqueeze', [node.input[1] as string], [ints('axes', axes)]),
  ]);
};

const slopesDown: Recipe = (step) => {
  const [x, slopes] = [neededDims(step, 0), neededDims(step, 1)];
  const draft = draftOf(step);
  const channel = slopes.length - x.length + 1;
  const isShared = slopes.every(one);
  if (!isShared && !slopes.every((dim, i) => (i === channel ? dim === x[1] : dim === 1)))
    return block('the older version needs one slope per channel');
  const axes = [...slopes.keys()].filter((i) => i !== (isShared ? 0 : channel));
  return draft.end('PRelu', [step.node.input[0] as string, squeezed(step, draft, 1, axes)]);
};

function refuseVectors(step: Step): void {
  for (const i of [0, 1]) if ((dimsAt(step, i)?.length ?? 2) !== 2) block('the operands are not matrices');
}

const gemmUp: Recipe = (step) => {
  refuseVectors(step);
  return [withoutAttributes(step.node, 'broadcast')];
};

const gemmDown: Recipe = (step) => {
  refuseVectors(step);
  const [a, b, c] = [neededDims(step, 0), neededDims(step, 1), neededDims(step, 2)];
  const isSet = (name: string) => given(step, name, 0) !== 0;
  const product = [a[isSet('transA') ? 1 : 0] as Size, b[isSet('transB') ? 0 : 1] as Size];
  if (same(c, product)) return [step.node];
  const place = placeIn(product, c);
  if (!place || (place.axis + c.length - place.ones.length < 2 && !c.every(one)))
    return block('the older version does not broadcast C along the columns');
  const draft = draftOf(step);
  const inner = squeezed(step, draft, 2, place.ones);
  const [left, right] = step.node.input as [string, string];
  return draft.end('Gemm', [left, right, inner], withAttributes(step.node, int('broadcast', 1)).attribute);
};

/** Adds a zero bias, as C is optional only since version 11. */
const withBias: Recipe = (step) => {
  const [a, b, c] = step.node.input as [string, string, string?];
  if (c) return [step.node];
  const draft = draftOf(step);
  const zero = draft.constant(neededElement(step, 0), [1], [0]);
  return draft.end('Gemm', [a, b, zero], step.node.attribute);
};

const BINARY = ['Add', 'Sub', 'Mul', 'Div', 'Pow', 'And', 'Or', 'Xor', 'Equal', 'Greater', 'Less'];

/** https://github.com/onnx/onnx/blob/main/docs/Broadcasting.md */
export const BROADCASTING: Recipes = {
  ...Object.fromEntries(BINARY.map((name) => [`${name} 7`, { up: explicitly, down: implicitly }])),
  ...Object.fromEntries(['Sum', 'Mean', 'Max', 'Min'].map((name) => [`${name} 8`, { down: summed }])),
  'PRelu 7': { up: slopesUp, down: slopesDown },
  'Gemm 7': { up: gemmUp, down: gemmDown },
  'Gemm 11': { down: withBias },
};
