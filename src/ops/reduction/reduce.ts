import type { Place } from '../../../bindings/parameters.js';
import { Reduction } from '../../../build/kernels.js';
import { columnGrainOf } from '../../backends/wasm/lower/grain.js';
import type { Lowering } from '../../backends/wasm/lowering.js';
import { product } from '../../graph/dims.js';
import type { Dim } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { int, ints } from '../attributes.js';
import { defineOp, type Evaluation, type Inference } from '../definition.js';
import { BOOL, NUMBERS } from '../element-sets.js';
import { axesOf, like } from '../shapes.js';
import { throughFloat32 } from '../through-float32.js';
import { reduceOnHost } from './reduce-on-host.js';

export type Kind = keyof typeof Reduction;

interface Options {
  readonly keepdims: number;
  readonly noop_with_empty_axes?: number;
}

/** Axes given, if any; undefined while they are not known. */
type AxesOf<A> = (c: Inference<A>) => readonly number[] | undefined;

/** What later passes do with the results of an earlier one, where it differs; LogSum takes the logarithm in the last. */
const LATER: Partial<Record<Kind, Kind>> = { SumSquare: 'Sum', L1: 'Sum' };
const EARLIER: Partial<Record<Kind, Kind>> = { LogSum: 'Sum' };

const KERNELS: Partial<Record<ElementType, 'reduce' | 'reduceI32' | 'reduceI64'>> = {
  float32: 'reduce',
  int32: 'reduceI32',
  int64: 'reduceI64',
};
const INTEGER_KINDS: readonly Kind[] = ['Sum', 'Max', 'Min', 'Prod', 'SumSquare', 'L1'];

/** Which axes are folded; no axes means all, or none where the node asks for that. */
function foldedAxes(c: Inference<Options>, axes: readonly number[], rank: number): boolean[] {
  const none = axes.length === 0;
  const all = none && !c.attributes.noop_with_empty_axes;
  const named = new Set(axesOf(c, axes, rank));
  return Array.from({ length: rank }, (_, axis) => all || named.has(axis));
}

function reducedDims(c: Inference<Options>, axes: readonly number[] | undefined): Dim[] | undefined {
  const dims = c.dims(0);
  const { keepdims } = c.attributes;
  if (!dims) return undefined;
  if (!axes) return keepdims ? dims.map(() => c.unknown()) : undefined;
  const folded = foldedAxes(c, axes, dims.length);
  return keepdims ? dims.map((dim, i) => (folded[i] ? 1 : dim)) : dims.filter((_, i) => !folded[i]);
}

interface Pass {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

/** Folds of adjacent axes, the innermost first; axes of size 1 belong to any neighbour. */
function passesOf(dims: readonly number[], folded: readonly boolean[]): Pass[] {
  const runs: { size: number; folded: boolean }[] = [];
  dims.forEach((size, axis) => {
    const own = folded[axis] as boolean;
    const last = runs.at(-1);
    if (size === 1) return;
    if (last?.folded === own) last.size *= size;
    else runs.push({ size, folded: own });
  });
  const passes: Pass[] = [];
  for (let i = runs.length - 1; i >= 0; i--) {
    if (!runs[i]?.folded) continue;
    const sizes = runs.map((run, j) => (run.folded && j > i ? 1 : run.size));
    passes.push({
      outer: elementCount(sizes.slice(0, i)),
      length: sizes[i] as number,
      inner: elementCount(sizes.slice(i + 1)),
    });
  }
  return passes.length > 0 ? passes : [{ outer: elementCount(dims), length: 1, inner: 1 }];
}

function lowerReduce(c: Lowering<Options>, kind: Kind, axes: readonly number[]): 'host' | undefined {
  const element = c.element(0);
  const kernel = KERNELS[element];
  const dims = c.shape(0);
  const isInteger = element !== 'float32';
  if (!kernel || (isInteger && (!INTEGER_KINDS.includes(kind) || elementCount(dims) === 0))) return 'host';
  const passes = passesOf(dims, foldedAxes(c, axes, dims.length));
  const bytes = isInteger && element === 'int64' ? 8 : 4;
  let x: Place = c.input(0);
  for (const [i, { outer, length, inner }] of passes.entries()) {
    const isLast = i === passes.length - 1;
    const own = (i === 0 ? undefined : LATER[kind]) ?? (isLast ? undefined : EARLIER[kind]) ?? kind;
    const y = isLast ? c.output(0) : c.temporary(outer * inner * bytes);
    const grain = columnGrainOf(outer * inner, length, inner);
    const params = { x, y, outer, length, inner, kind: Reduction[own], grain };
    c.launch(kernel, params, Math.ceil((outer * inner) / grain), { writes: [y] });
    x = y;
  }
}

/** The axes of the second input; what is known of an input are at most so many numbers as there may be axes. */
function axesInput(c: Inference<Options>): readonly number[] | undefined {
  if (!c.given(1)) return [];
  const [count, rank] = [c.dims(1)?.[0] ?? 1, c.dims(0)?.length ?? Number.POSITIVE_INFINITY];
  if (typeof count === 'number' && count > rank)
    c.fail('INVALID_SHAPE', `names ${count} axes of a tensor of rank ${rank}`);
  return c.sizes(1) as number[] | undefined;
}

/** One reduction with its axes as input and as attribute; `asInput` is the opset version that moved them. */
const reduction = (kind: Kind, asInput: number, types: readonly ElementType[] = NUMBERS) => {
  const name = `Reduce${kind}`;
  const rules = <A extends Options>(axesOfNode: AxesOf<A>) => ({
    infer: (c: Inference<A>) => [like(c, 0, reducedDims(c, axesOfNode(c)))],
    sizes(c: Inference<A>): readonly Dim[] | undefined {
      const sizes = c.dims(0)?.length === 1 ? c.sizes(0) : undefined;
      return kind === 'Prod' && sizes ? [product(sizes)] : undefined;
    },
    evaluate: (c: Evaluation<A>) => {
      const x = c.tensor(0);
      const axes = axesOfNode(c) as readonly number[];
      return [reduceOnHost(x, kind, foldedAxes(c, axes, x.dims.length), c.attributes.keepdims !== 0)];
    },
    lower: (c: Lowering<A>) => lowerReduce(c, kind, axesOfNode(c) as readonly number[]),
  });
  return [
    defineOp({
      name,
      since: asInput,
      signature: 'data: T, axes?: int64 -> reduced: T',
      types: { T: types },
      attributes: { keepdims: int(1), noop_with_empty_axes: int(0) },
      planned: [1],
      decompose: (c) => throughFloat32(c),
      ...rules<Options>(axesInput),
    }),
    defineOp({
      name,
      signature: 'data: T -> reduced: T',
      types: { T: types },
      attributes: { axes: ints(), keepdims: int(1) },
      ...rules<Options & { readonly axes: readonly number[] | undefined }>((c) => c.attributes.axes ?? []),
    }),
  ];
};

/** https://onnx.ai/onnx/operators/onnx__ReduceSum.html and its siblings. */
export const reduceSum = reduction('Sum', 13);
export const reduceMean = reduction('Mean', 18);
export const reduceMax = reduction('Max', 18, [...NUMBERS, ...BOOL]);
export const reduceMin = reduction('Min', 18, [...NUMBERS, ...BOOL]);
export const reduceProd = reduction('Prod', 18);
export const reduceSumSquare = reduction('SumSquare', 18);
export const reduceL1 = reduction('L1', 18);
export const reduceL2 = reduction('L2', 18);
export const reduceLogSum = reduction('LogSum', 18);
export const reduceLogSumExp = reduction('LogSumExp', 18);
