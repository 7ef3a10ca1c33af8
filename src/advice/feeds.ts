import type { ErrorCode } from '../base/errors.js';
import { isPromise } from '../base/shown.js';
import type { Value } from '../graph/graph.js';
import type { Dim, ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import { nearest } from './near.js';

const dimsOf = (type: ValueType | undefined) => (type?.kind === 'tensor' && type.dims ? `[${type.dims}]` : 'dims');

/** How a tensor of that type is made. */
const making = (type: ValueType | undefined, data = 'data'): string =>
  type?.kind === 'tensor' ? `new Tensor('${type.element}', ${data}, ${dimsOf(type)})` : 'value';

/** A name as it is written in an object. */
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

export const missingFeed = (complaint: string, name: string, type: ValueType | undefined): string =>
  `${complaint}; run it with { ${key(name)}: ${making(type)} }`;

/** A feed of a name that no input has. */
export function unknownFeed(complaint: string, name: string, inputs: readonly Value[]): string {
  const [first] = inputs;
  const meant = nearest(
    name,
    inputs.map((input) => input.name),
  );
  if (meant !== undefined) return `${complaint}; did you mean "${meant}"?`;
  return first && inputs.length === 1
    ? `${complaint}; feed the tensor under that name: { ${key(first.name)}: … }`
    : complaint;
}

export function wrongKind(complaint: string, type: ValueType, feed: HostValue): string {
  if (isPromise(feed)) return complaint;
  if (type.kind === 'sequence') return `${complaint}: a sequence is fed as an array of tensors`;
  if (type.kind === 'map') return `${complaint}: feed a Map of keys to values`;
  return feed === null ? complaint : `${complaint}: feed ${making(type)}`;
}

const CONVERSIONS: Partial<Record<ElementType, string>> = {
  int64: 'BigInt64Array.from(data, BigInt)',
  uint64: 'BigUint64Array.from(data, BigInt)',
  float16: 'Array.from(data)',
  bfloat16: 'Array.from(data)',
  float32: 'Float32Array.from(data, Number)',
  float64: 'Float64Array.from(data, Number)',
  int32: 'Int32Array.from(data, Number)',
  uint8: 'Uint8Array.from(data, Number)',
  bool: 'Array.from(data, Boolean)',
};

export function wrongType(complaint: string, wanted: ElementType, { type, dims }: TensorValue): string {
  if (type === 'string')
    return `${complaint}: text must become numbers first, as by the tokenizer that belongs to the model`;
  const conversion = CONVERSIONS[wanted];
  if (!conversion) return complaint;
  const scaled = type === 'uint8' && wanted === 'float32' ? '; pixels are mostly wanted from 0 to 1: data / 255' : '';
  return `${complaint}: feed new Tensor('${wanted}', ${conversion}, [${dims}])${scaled}`;
}

/** A tensor that contradicts itself. */
export function wrongTensor(complaint: string, code: ErrorCode, tensor: TensorValue): string {
  if (code === 'RELEASED') return `${complaint}: call dispose() after the run, or feed a new tensor`;
  return code === 'INVALID_SHAPE' ? wrongLength(complaint, tensor) : complaint;
}

const lengthOf = (dims: readonly number[]) => dims.reduce((product, d) => product * d, 1);

/** Data of another length than the dims say. */
function wrongLength(complaint: string, { dims, data }: TensorValue): string {
  if (Array.isArray(dims) && dims.some((d) => !Number.isSafeInteger(d)))
    return `${complaint}: see how they were computed, as from the width of an image that has not loaded yet`;
  if (!Array.isArray(dims) || !ArrayBuffer.isView(data)) return complaint;
  const count = lengthOf(dims);
  if (data.length === 0 && data.buffer.byteLength === 0 && count > 0)
    return `${complaint}: its buffer has been handed over, as by transfer or postMessage; feed a copy`;
  if (data.length * 3 === count * 4) return `${complaint} of each, in the order that the dims say`;
  return `${complaint}: the product of the dims must be the number of entries`;
}

/** Equal names of sizes are equal sizes. */
export const unequalSizes = (complaint: string, symbol: string): string =>
  `${complaint}: the model wants one size wherever it says "${symbol}"; pad or cut the inputs to the same, or create the session with looseSymbols: true`;

const fits = (wanted: readonly Dim[], dims: readonly number[]) =>
  wanted.length === dims.length && wanted.every((dim, i) => typeof dim === 'string' || dim === dims[i]);

/** An order of the feed's axes in which it fits, where that is one of the usual mistakes. */
function permutationTo(wanted: readonly Dim[], dims: readonly number[]): string | undefined {
  if (dims.length === 4) {
    const [n, a, b, c] = dims as [number, number, number, number];
    if (fits(wanted, [n, c, a, b])) return 'channels come first (NCHW) here, and last (NHWC) in the feed';
    if (fits(wanted, [n, b, c, a])) return 'channels come last (NHWC) here, and first (NCHW) in the feed';
  }
  if (dims.length === 2 && fits(wanted, dims.toReversed())) return 'rows and columns are exchanged';
  const sorted = (list: readonly Dim[]) => [...list].map(Number).sort((a, b) => a - b);
  const isReordered = wanted.length === dims.length && String(sorted(wanted)) === String(sorted(dims));
  return isReordered ? 'these are the same sizes in another order' : undefined;
}

export function wrongDims(complaint: string, wanted: readonly Dim[], dims: readonly number[]): string {
  const order = permutationTo(wanted, dims);
  if (order) return `${complaint}: ${order}; transpose the data, not only the dims`;
  if (fits(wanted, [1, ...dims])) return `${complaint}: the batch is missing; give it dims [${[1, ...dims]}]`;
  if (dims[0] === 1 && fits(wanted, dims.slice(1)))
    return `${complaint}: it takes no batch; give it dims [${dims.slice(1)}]`;
  const [batch, ...rest] = wanted;
  if (typeof batch === 'number' && fits(rest, dims.slice(1)))
    return `${complaint}: the model is made for a batch of ${batch}; run ${batch} at a time, or export it with a dynamic batch`;
  const count = (list: readonly Dim[]) => list.reduce<number>((product, d) => product * Number(d), 1);
  if (wanted.every((dim) => typeof dim === 'number') && count(wanted) === count(dims))
    return `${complaint}: it has as many elements; if they are in that order, give it dims [${wanted}]`;
  const axis =
    wanted.length === dims.length ? wanted.findIndex((dim, i) => typeof dim === 'number' && dim !== dims[i]) : -1;
  return axis < 0
    ? `${complaint}: it has ${dims.length} dimensions instead of ${wanted.length}`
    : `${complaint}: axis ${axis} must be ${wanted[axis]}; resize, pad or crop the data`;
}
