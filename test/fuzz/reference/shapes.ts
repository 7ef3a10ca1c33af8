import { axisOf, countOf, int64s, type PlainArray, plain } from './array.js';
import { int, ints, movedToInput, type Reference, type ReferenceNode, type References, tensor } from './definition.js';

const reshaped = ({ type, data }: PlainArray, dims: readonly number[]): [PlainArray] => {
  if (countOf(dims) !== data.length) throw new RangeError(`${data.length} elements as [${dims}]`);
  return [plain(type, dims, data)];
};

/** −1 is what is left; 0 copies a size unless allowzero. */
const Reshape: Reference = (node) => {
  const x = tensor(node, 0);
  const wanted = movedToInput(node, 'shape', 5, 1) ?? [];
  const copies = int(node, 'allowzero', 0) === 0;
  const dims = wanted.map((size, axis) => (size === 0 && copies ? (x.dims[axis] as number) : size));
  const known = countOf(dims.filter((size) => size !== -1));
  return reshaped(
    x,
    dims.map((size) => (size === -1 ? x.data.length / known : size)),
  );
};

const Flatten: Reference = (node) => {
  const x = tensor(node, 0);
  const axis = int(node, 'axis', 1);
  const at = axis < 0 ? axis + x.dims.length : axis;
  return reshaped(x, [countOf(x.dims.slice(0, at)), countOf(x.dims.slice(at))]);
};

const Squeeze: Reference = (node) => {
  const x = tensor(node, 0);
  const axes = movedToInput(node, 'axes', 13, 1)?.map((axis) => axisOf(axis, x.dims.length));
  const isLeftOut = axes ? (axis: number) => axes.includes(axis) : (axis: number) => x.dims[axis] === 1;
  return reshaped(
    x,
    x.dims.filter((_, axis) => !isLeftOut(axis)),
  );
};

const Unsqueeze: Reference = (node) => {
  const x = tensor(node, 0);
  const axes = movedToInput(node, 'axes', 13, 1) ?? [];
  const rank = x.dims.length + axes.length;
  const added = new Set(axes.map((axis) => axisOf(axis, rank)));
  const old = x.dims.values();
  const dims = Array.from({ length: rank }, (_, axis) => (added.has(axis) ? 1 : (old.next().value as number)));
  return reshaped(x, dims);
};

const Shape: Reference = (node) => {
  const { dims } = tensor(node, 0);
  return [int64s(dims.slice(int(node, 'start', 0), int(node, 'end', dims.length)))];
};

const Size: Reference = (node) => [int64s([tensor(node, 0).data.length], [])];

const Identity: Reference = ({ inputs }) => [inputs[0]];

/** In training a draw decides, unless nothing is dropped. */
const Dropout: Reference = (node) => {
  const x = tensor(node, 0);
  const isTraining = node.opset >= 12 ? Number((node.inputs[2] as PlainArray | undefined)?.data[0] ?? 0) : 0;
  const ratio = Number((node.inputs[1] as PlainArray | undefined)?.data[0] ?? 0.5);
  if (node.opset < 7 || (isTraining && ratio !== 0)) return undefined;
  const mask = plain(
    node.opset < 10 ? x.type : 'bool',
    x.dims,
    x.data.map(() => 1),
  );
  return [x, mask];
};

/** The attribute that an output's elements are in. */
const CONSTANTS: Readonly<Record<string, (node: ReferenceNode) => PlainArray>> = {
  value: ({ attributes }) => attributes.value as PlainArray,
  value_float: ({ attributes }) => plain('float32', [], [Math.fround(Number(attributes.value_float))]),
  value_int: ({ attributes }) => plain('int64', [], [BigInt(attributes.value_int as number)]),
  value_string: ({ attributes }) => plain('string', [], [attributes.value_string as string]),
  value_floats: ({ attributes }) => {
    const values = attributes.value_floats as readonly number[];
    return plain('float32', [values.length], values.map(Math.fround));
  },
  value_ints: (node) => int64s(ints(node, 'value_ints') ?? []),
  value_strings: ({ attributes }) => {
    const values = attributes.value_strings as readonly string[];
    return plain('string', [values.length], values);
  },
};

const Constant: Reference = (node) => {
  const given = Object.keys(CONSTANTS).find((name) => node.attributes[name] !== undefined);
  const value = given && CONSTANTS[given]?.(node);
  return value ? [value] : undefined;
};

export const SHAPES: References = {
  Reshape,
  Flatten,
  Squeeze,
  Unsqueeze,
  Shape,
  Size,
  Identity,
  Dropout,
  Constant,
};
