import { axisOf, type Plain, type PlainArray, plain } from './array.js';
import { int, movedToInput, type Reference, type ReferenceNode, type References, tensor } from './definition.js';
import { exact, inexact, isFloat, isInteger, rangeOf } from './number-types.js';
import { steps, stridesOf, sums } from './offsets.js';

/** How the elements to reduce lie in a tensor. */
export interface Lanes {
  /** Where each lane starts. */
  readonly starts: Float64Array;
  /** Distance of each element of a lane from its start. */
  readonly places: Float64Array;
  /** Dims without the reduced axes, or with size 1 there. */
  readonly dims: readonly number[];
}

export function lanesOver(dims: readonly number[], axes: readonly number[], keepDims: boolean): Lanes {
  const reduced = new Set(axes.map((axis) => axisOf(axis, dims.length)));
  const strides = stridesOf(dims);
  const tables = (wanted: boolean) =>
    dims.flatMap((size, axis) => (reduced.has(axis) === wanted ? [steps(size, strides[axis] as number)] : []));
  return {
    starts: sums(tables(false)),
    places: sums(tables(true)),
    dims: dims.flatMap((size, axis) => (reduced.has(axis) ? (keepDims ? [1] : []) : [size])),
  };
}

/** The lanes of a reduction: without axes all are reduced, or none, and each element is a lane. */
function lanesOf(node: ReferenceNode, since: number): Lanes {
  const { dims } = tensor(node, 0);
  const axes = movedToInput(node, 'axes', since, 1);
  const otherwise = int(node, 'noop_with_empty_axes', 0) ? [] : Array.from(dims.keys());
  return lanesOver(dims, axes?.length ? axes : otherwise, int(node, 'keepdims', 1) !== 0);
}

/** Lane by lane, the elements of each. */
function overLanes<T extends Plain>({ starts, places }: Lanes, data: readonly T[], f: (lane: readonly T[]) => T): T[] {
  const lane = new Array<T>(places.length);
  return Array.from(starts, (start) => {
    for (let i = 0; i < lane.length; i++) lane[i] = data[start + (places[i] as number)] as T;
    return f(lane);
  });
}

interface Folding {
  /** The opset at which axes became an input. */
  readonly axesSince?: number;
  readonly each?: (x: number) => number;
  readonly product?: boolean;
  /** What becomes of a sum: of floats alone. */
  readonly last?: (sum: number, count: number) => number;
}

const folding =
  ({ axesSince = 18, each = (x) => x, product = false, last }: Folding): Reference =>
  (node) => {
    const { type } = tensor(node, 0);
    if (!isFloat(type) && (!isInteger(type) || last)) return undefined;
    const lanes = lanesOf(node, axesSince);
    const { data, zero, one } = exact(tensor(node, 0));
    const results = overLanes(lanes, data, (lane) => {
      let result = product ? one : zero;
      for (const x of lane) result = product ? result * x : result + each(x);
      return last ? last(result, lane.length) : result;
    });
    return [plain(type, lanes.dims, inexact(type, results))];
  };

const logSumExp = (lane: readonly number[]): number => {
  const max = lane.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(max)) return max;
  return max + Math.log(lane.reduce((sum, x) => sum + Math.exp(x - max), 0));
};

const ReduceLogSumExp: Reference = (node) => {
  const { type, data } = tensor(node, 0);
  const lanes = lanesOf(node, 18);
  if (!isFloat(type)) return undefined;
  return [plain(type, lanes.dims, overLanes(lanes, data as number[], logSumExp))];
};

/** The extreme of no elements. */
function extremeOfNone(type: PlainArray['type'], isMax: boolean): Plain {
  if (isFloat(type)) return isMax ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (type === 'bool') return isMax ? 0 : 1;
  const bound = rangeOf(type)[isMax ? 0 : 1];
  return type === 'int64' || type === 'uint64' ? bound : Number(bound);
}

const isNotANumber = (x: Plain): boolean => typeof x === 'number' && Number.isNaN(x);

const extreme =
  (isMax: boolean): Reference =>
  (node) => {
    const { type, data } = tensor(node, 0);
    const lanes = lanesOf(node, 18);
    const results = overLanes(lanes, data, (lane) => {
      let best = lane.length ? (lane[0] as Plain) : extremeOfNone(type, isMax);
      for (const x of lane) if (isNotANumber(x) || (isMax ? x > best : x < best)) best = x;
      return best;
    });
    return [plain(type, lanes.dims, results)];
  };

/** The mean of integers is truncated. */
const meanOfIntegers: Reference = (node) => {
  const x = tensor(node, 0);
  const lanes = lanesOf(node, 18);
  if (!isInteger(x.type) || lanes.places.length === 0) return undefined;
  const means = overLanes(lanes, x.data.map(BigInt), (lane) => lane.reduce((a, b) => a + b, 0n) / BigInt(lane.length));
  return [plain(x.type, lanes.dims, inexact(x.type, means as never))];
};

const meanOfFloats = folding({ last: (sum, count) => sum / count });

/** The first extreme of an axis, or the last one. */
const argExtreme =
  (isMax: boolean): Reference =>
  (node) => {
    const { dims, data } = tensor(node, 0);
    const lanes = lanesOver(dims, [int(node, 'axis', 0)], int(node, 'keepdims', 1) !== 0);
    if (lanes.places.length === 0) throw new RangeError('the greatest of none');
    const isLast = int(node, 'select_last_index', 0) !== 0;
    const found = Array.from(lanes.starts, (start) => {
      const at = (i: number) => data[start + (lanes.places[i] as number)] as Plain;
      let best = 0;
      for (let i = 1; i < lanes.places.length; i++) {
        const isBetter = isMax ? at(i) > at(best) : at(i) < at(best);
        if (isBetter || (isLast && at(i) === at(best))) best = i;
      }
      return BigInt(best);
    });
    return [plain('int64', lanes.dims, found)];
  };

export const REDUCTIONS: References = {
  ReduceSum: folding({ axesSince: 13 }),
  ReduceProd: folding({ product: true }),
  ReduceMean: (node) => (isFloat(tensor(node, 0).type) ? meanOfFloats(node) : meanOfIntegers(node)),
  ReduceL1: folding({ each: (x) => (x < 0 ? -x : x) }),
  ReduceL2: folding({ each: (x) => x * x, last: Math.sqrt }),
  ReduceSumSquare: folding({ each: (x) => x * x }),
  ReduceLogSum: folding({ last: Math.log }),
  ReduceLogSumExp,
  ReduceMax: extreme(true),
  ReduceMin: extreme(false),
  ArgMax: argExtreme(true),
  ArgMin: argExtreme(false),
};
