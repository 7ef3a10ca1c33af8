import type { ErrorCode } from '../base/errors.js';
import { isPromise } from '../base/shown.js';
import type { Value } from '../graph/graph.js';
import { formatSize, isKnown, type Size } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import { nearest } from './near.js';

const dimsOf = (type: ValueType | undefined) => (type?.kind === 'tensor' && type.dims ? `[${type.dims}]` : 'dims');

/** An expression that creates a tensor of a type. */
const making = (type: ValueType | undefined, data = 'data'): string =>
  type?.kind === 'tensor' ? `new Tensor('${type.element}', ${data}, ${dimsOf(type)})` : 'value';

/** A name as a key of an object literal. */
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

export const missingFeed = (complaint: string, name: string, type: ValueType | undefined): string =>
  `${complaint}; run it with { ${key(name)}: ${making(type)} }`;

/** A feed that matches no input. */
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
  if (type.kind === 'sequence') return `${complaint}: feed an array of tensors`;
  if (type.kind === 'map') return `${complaint}: feed a Map`;
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
  if (type === 'string') return `${complaint}: convert text to numbers first, for example with the model's tokenizer`;
  const conversion = CONVERSIONS[wanted];
  if (!conversion) return complaint;
  const scaled = type === 'uint8' && wanted === 'float32' ? '; most models expect pixels from 0 to 1: data / 255' : '';
  return `${complaint}: feed new Tensor('${wanted}', ${conversion}, [${dims}])${scaled}`;
}

/** A tensor that is disposed of, or whose dims and data do not match. */
export function wrongTensor(complaint: string, code: ErrorCode, tensor: TensorValue): string {
  if (code === 'RELEASED') return `${complaint}: call dispose() after the run, or feed a new tensor`;
  return code === 'INVALID_SHAPE' ? wrongLength(complaint, tensor) : complaint;
}

const lengthOf = (dims: readonly number[]) => dims.reduce((product, d) => product * d, 1);

/** Data whose length does not match the dims. */
function wrongLength(complaint: string, { dims, data }: TensorValue): string {
  if (Array.isArray(dims) && dims.some((d) => !Number.isSafeInteger(d)))
    return `${complaint}: check how they were computed, for example from the width of an image before it loaded`;
  if (!Array.isArray(dims) || !ArrayBuffer.isView(data)) return complaint;
  const count = lengthOf(dims);
  if (data.length === 0 && data.buffer.byteLength === 0 && count > 0)
    return `${complaint}: its buffer was transferred, for example by postMessage; feed a copy`;
  if (data.length * 3 === count * 4) return `${complaint} of each pixel, in the order of the dims`;
  return `${complaint}: the product of the dims must equal the length of the data`;
}

/** Dimensions of the same name have different sizes. */
export const unequalSizes = (complaint: string, symbol: string): string =>
  `${complaint}: "${symbol}" must have the same size everywhere; pad or crop the inputs, or create the session with looseSymbols: true`;

const fits = (wanted: readonly Size[], dims: readonly number[]) =>
  wanted.length === dims.length && wanted.every((dim, i) => typeof dim !== 'number' || dim === dims[i]);

/** A common permutation of the axes with which the feed matches. */
function permutationTo(wanted: readonly Size[], dims: readonly number[]): string | undefined {
  if (dims.length === 4) {
    const [n, a, b, c] = dims as [number, number, number, number];
    if (fits(wanted, [n, c, a, b])) return 'the model expects channels first (NCHW), and the feed has them last (NHWC)';
    if (fits(wanted, [n, b, c, a])) return 'the model expects channels last (NHWC), and the feed has them first (NCHW)';
  }
  if (dims.length === 2 && fits(wanted, dims.toReversed())) return 'rows and columns are swapped';
  const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b).join();
  const isReordered = isKnown(wanted) && sorted(wanted) === sorted(dims);
  return isReordered ? 'the feed has the same sizes in a different order' : undefined;
}

export function wrongDims(complaint: string, wanted: readonly Size[], dims: readonly number[]): string {
  const order = permutationTo(wanted, dims);
  if (order) return `${complaint}: ${order}; transpose the data, not only the dims`;
  if (fits(wanted, [1, ...dims])) return `${complaint}: the batch dimension is missing; use dims [${[1, ...dims]}]`;
  if (dims[0] === 1 && fits(wanted, dims.slice(1)))
    return `${complaint}: the model has no batch dimension here; use dims [${dims.slice(1)}]`;
  const [batch, ...rest] = wanted;
  if (typeof batch === 'number' && fits(rest, dims.slice(1)))
    return `${complaint}: the model has a fixed batch size of ${batch}; run ${batch} at a time, or export the model with a dynamic batch dimension`;
  if (isKnown(wanted) && lengthOf(wanted) === lengthOf(dims))
    return `${complaint}: the number of elements is right; if their order is too, use dims [${wanted}]`;
  const axis =
    wanted.length === dims.length ? wanted.findIndex((dim, i) => typeof dim === 'number' && dim !== dims[i]) : -1;
  return axis < 0
    ? `${complaint}: its rank is ${dims.length} instead of ${wanted.length}`
    : `${complaint}: axis ${axis} must be ${formatSize(wanted[axis] as Size)}; resize, pad or crop the data`;
}
