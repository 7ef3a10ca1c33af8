import { type AttributeProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import { toNumber } from '../../../model/int64.js';
import { densify, readSparse } from '../../../model/sparse.js';
import { writeTensorProto } from '../../../model/write-attributes.js';
import { ELEMENTS, elementTypeOf } from '../../../tensor/element-types.js';
import {
  attributeOf,
  block,
  float,
  int,
  string,
  tensor,
  tensorProto,
  textAt,
  valuesOf,
  withAttributes,
  withoutAttributes,
} from '../node.js';
import { dimsAt, draftOf, elementAt, given, neededDims, type Recipe, type Recipes } from '../step.js';

/** The name of a type in Cast 1. */
const nameOf = (element: string | undefined): string =>
  element === 'float32' ? 'FLOAT' : element === 'float64' ? 'DOUBLE' : (element ?? '').toUpperCase();

const typeByName: Recipe = ({ node }) => {
  const named = Object.entries(ELEMENTS).find(([element]) => nameOf(element) === textAt(node, 'to')?.toUpperCase());
  return named
    ? [withAttributes(node, int('to', named[1].onnx))]
    : block(`to=${textAt(node, 'to')} is not an element type`);
};

const typeByNumber: Recipe = (step) => [
  withAttributes(step.node, string('to', nameOf(elementTypeOf(given(step, 'to', 0))))),
];

const wholeNorm: Recipe = (step) => {
  const p = given(step, 'p', 2);
  return Number.isInteger(p)
    ? [withAttributes(step.node, int('p', p))]
    : block(`version 2 needs an integer p, got ${p}`);
};

const floatNorm: Recipe = (step) => [withAttributes(step.node, float('p', given(step, 'p', 2)))];

const renamed =
  (from: string, to: string): Recipe =>
  ({ node }) => {
    const found = attributeOf(node, from);
    if (!found) return [node];
    return [withAttributes(withoutAttributes(node, from), { ...found, name: to } as AttributeProto)];
  };

/** Writes the default axis of Concat 1. */
const secondAxis: Recipe = (step) => [withAttributes(step.node, int('axis', given(step, 'axis', 1)))];

const MODES: readonly (readonly [before: string, since: string])[] = [
  ['bilinear', 'linear'],
  ['bicubic', 'cubic'],
];

const mode =
  (isUp: boolean): Recipe =>
  (step) => {
    const { node } = step;
    if (!isUp && neededDims(step, 0).length !== 4) return block('3D input needs GridSample 20');
    const text = textAt(node, 'mode') ?? (isUp ? 'bilinear' : 'linear');
    const pair = MODES.find((names) => names.includes(text));
    return [pair ? withAttributes(node, string('mode', pair[isUp ? 1 : 0])) : node];
  };

const COORDINATES = 'coordinate_transformation_mode';

const outputHalfPixel: Recipe = ({ node }) =>
  textAt(node, COORDINATES) === 'output_half_pixel'
    ? [withoutAttributes(node, COORDINATES)]
    : block(`${COORDINATES}=${textAt(node, COORDINATES) ?? 'half_pixel'} needs RoiAlign 16`);

/**
 * Writes the default axis of the older version, 1, which is the first axis after the batch. The newer default is the
 * last signal axis.
 */
const signalAxis: Recipe = (step) => [
  attributeOf(step.node, 'axis') ? step.node : withAttributes(step.node, int('axis', 1)),
];

const lastSignalAxis: Recipe = (step) => {
  if (step.node.input[2]) return [step.node];
  const rank = dimsAt(step, 0)?.length;
  return [withAttributes(step.node, int('axis', rank === undefined ? -2 : rank - 2))];
};

/** In version 24, a mask that is shorter than the keys masks the rest. */
const masked: Recipe = (step) => {
  const { node } = step;
  if (!node.input[3]) return [node];
  const [keys, past, columns] = [dimsAt(step, 1), node.input[4] ? dimsAt(step, 4)?.at(-2) : 0, dimsAt(step, 3)?.at(-1)];
  const own = keys?.[keys.length === 3 ? 1 : 2];
  const all = past === 0 ? own : typeof own === 'number' && typeof past === 'number' ? own + past : undefined;
  return columns !== undefined && columns === all ? [node] : block('a mask shorter than the keys needs Attention 24');
};

const windowless: Recipe = ({ node }) => {
  for (const name of ['left_window_size', 'right_window_size']) {
    const attribute = attributeOf(node, name);
    const size = attribute && Number(valuesOf(attribute)[0]);
    if (size !== undefined && size !== -1) block(`${name}=${size} needs Attention 25`);
  }
  return [withoutAttributes(node, 'left_window_size', 'right_window_size')];
};

/** Converts the other attributes of Constant to `value`. */
const plainConstant: Recipe = ({ node }) => {
  const [attribute] = node.attribute.filter(({ name }) => name.startsWith('value_'));
  if (!attribute) return [node];
  const { name } = attribute;
  const isList = name.endsWith('s');
  const values = valuesOf(attribute);
  const dims = isList ? [values.length] : [];
  const t = name.startsWith('value_string')
    ? new TensorProto({ dataType: ELEMENTS.string.onnx, dims, stringData: isList ? attribute.strings : [attribute.s] })
    : name.startsWith('value_int')
      ? new TensorProto({ dataType: ELEMENTS.int64.onnx, dims, int64Data: isList ? attribute.ints : [attribute.i] })
      : tensorProto('float32', dims, values.map(Number));
  return [new NodeProto({ ...node, attribute: [tensor('value', t)] })];
};

const denseConstant: Recipe = ({ node }) => {
  const sparse = attributeOf(node, 'sparse_value')?.sparseTensor;
  if (!sparse) return [node];
  const t = new TensorProto(writeTensorProto(densify(readSparse(sparse), node.output[0] ?? '')));
  return [new NodeProto({ ...node, attribute: [tensor('value', t)] })];
};

const FLOAT8 = /^float8/;

/** Removes an attribute that affects only conversions to 8-bit floats. */
const saturating =
  (name: string, idle: string): Recipe =>
  (step) => {
    const { node } = step;
    const attribute = attributeOf(node, name);
    if (!attribute || String(valuesOf(attribute)[0]) === idle) return [withoutAttributes(node, name)];
    const to = node.opType === 'CastLike' ? elementAt(step, 1) : undefined;
    const code = attributeOf(node, 'to');
    const isFloat8 = code ? toNumber(code.i) > 16 : !to || FLOAT8.test(to);
    return isFloat8
      ? block(`${name}=${valuesOf(attribute)[0]} applies to 8-bit floats, which the older version does not support`)
      : [withoutAttributes(node, name)];
  };

/** Removes the axis. Only a single scale and zero point per tensor can be converted. */
const perTensor: Recipe = (step) => {
  const node = withoutAttributes(step.node, 'axis');
  const scale = neededDims(step, 1);
  if (scale.length === 0) return [node];
  if (scale.length > 1 || scale[0] !== 1)
    return block(`per-axis scales (axis=${given(step, 'axis', 1)}) need ${node.opType} 13`);
  const draft = draftOf(step);
  const [x = '', ...rest] = node.input;
  const scalars = rest.map((name, _i) => name && draft.emit('Squeeze', [name]));
  return draft.end(node.opType, [x, ...scalars], node.attribute);
};

/** Removes `output_dtype` if it equals the type of another operand. */
const toldBy =
  (i: number, fallback: string): Recipe =>
  (step) => {
    const { node } = step;
    const code = given(step, 'output_dtype', 0);
    const says = elementAt(step, i) ?? (node.input[i] ? undefined : fallback);
    const rest = withoutAttributes(node, 'output_dtype');
    const isSame = says !== undefined && says === elementTypeOf(code);
    return code === 0 || isSame
      ? [rest]
      : block(`output_dtype=${elementTypeOf(code)} needs ${step.from.name} ${step.from.since}`);
  };

export const ATTRIBUTES: Recipes = {
  'Cast 6': { up: typeByName, down: typeByNumber },
  'LpPool 2': { up: wholeNorm, down: floatNorm },
  'GlobalLpPool 2': { up: wholeNorm, down: floatNorm },
  'Pad 2': { up: renamed('paddings', 'pads'), down: renamed('pads', 'paddings') },
  'Concat 4': { up: secondAxis },
  'GridSample 20': { up: mode(true), down: mode(false) },
  'RoiAlign 16': {
    up: ({ node }) => [withAttributes(node, string(COORDINATES, 'output_half_pixel'))],
    down: outputHalfPixel,
  },
  'DFT 20': { up: signalAxis, down: lastSignalAxis },
  'Attention 24': { down: masked },
  'Attention 25': { down: windowless },
  'Constant 12': { down: plainConstant },
  'Constant 11': { down: denseConstant },
  'Cast 19': { down: saturating('saturate', '1') },
  'CastLike 19': { down: saturating('saturate', '1') },
  'Cast 24': { down: saturating('round_mode', 'up') },
  'CastLike 24': { down: saturating('round_mode', 'up') },
  'QuantizeLinear 13': { down: perTensor },
  'DequantizeLinear 13': { down: perTensor },
  'QuantizeLinear 21': { down: toldBy(2, 'uint8') },
  'DequantizeLinear 23': { down: toldBy(1, 'float32') },
};
