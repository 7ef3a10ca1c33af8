import { NodeProto } from '../../../../build/onnx.js';
import { formatSize } from '../../../graph/sizes.js';
import {
  block,
  float,
  floats,
  numbersAt,
  string,
  textAt,
  withAttributes,
  withInputs,
  withoutAttributes,
} from '../node.js';
import {
  type Draft,
  dimsAt,
  draftOf,
  neededDims,
  neededNumbers,
  numbersIn,
  type Recipe,
  type Recipes,
  type Step,
} from '../step.js';

const MODES: Readonly<Record<string, string>> = { bilinear: 'linear', linear: 'bilinear' };

const renamed = (node: NodeProto, mode: string | undefined): NodeProto =>
  mode && MODES[mode] ? withAttributes(node, string('mode', MODES[mode])) : node;

const sidesToScales: Recipe = ({ node }) => {
  const scales = ['height_scale', 'width_scale'].map((name) => numbersAt(node, name)?.[0] ?? 1);
  const rest = withoutAttributes(node, 'height_scale', 'width_scale');
  return [withAttributes(renamed(rest, textAt(node, 'mode')), floats('scales', [1, 1, ...scales]))];
};

const scalesToSides: Recipe = ({ node }) => {
  const [batch, channels, height, width, ...more] = numbersAt(node, 'scales') ?? [];
  if (batch !== 1 || channels !== 1 || height === undefined || width === undefined || more.length > 0)
    return block('the older version only scales the last two of four axes');
  const sides = [float('height_scale', height), float('width_scale', width)];
  return [withAttributes(renamed(withoutAttributes(node, 'scales'), textAt(node, 'mode')), ...sides)];
};

const upsampleToResize: Recipe = ({ node }) => {
  if (!node.input[1]) return block('the input scales is missing');
  return [
    renamed(new NodeProto({ ...node, opType: 'Resize' }), textAt(node, 'mode') === 'bilinear' ? 'bilinear' : undefined),
  ];
};

const resizeToUpsample: Recipe = (step) => {
  if (neededNumbers(step, 1).some((scale) => scale < 1)) return block('Upsample does not support scales below 1');
  return [new NodeProto({ ...step.node, opType: 'Upsample' })];
};

/** Adds the fixed behavior of Resize 10: asymmetric coordinates, rounded down. */
const withCoordinates: Recipe = (step) => {
  const draft = draftOf(step);
  const [x, scales] = step.node.input as [string, string];
  const coordinates = string('coordinate_transformation_mode', 'asymmetric');
  const { attribute } = withAttributes(step.node, coordinates, string('nearest_mode', 'floor'));
  return draft.end('Resize', [x, draft.constant('float32', [0], []), scales], attribute);
};

const DEFAULTS = { mode: 'nearest', coordinate_transformation_mode: 'half_pixel', nearest_mode: 'round_prefer_floor' };

const told = ({ node }: Step, name: keyof typeof DEFAULTS): string => textAt(node, name) ?? DEFAULTS[name];

/**
 * Whether the mode equals asymmetric coordinates, rounded down. This holds for nearest half_pixel with integer scales.
 */
function isAsymmetric(step: Step, scales: readonly number[]): boolean {
  const [coordinates, nearest] = [told(step, 'coordinate_transformation_mode'), told(step, 'nearest_mode')];
  const isNearest = told(step, 'mode') === 'nearest';
  if (coordinates === 'asymmetric') return !isNearest || nearest === 'floor';
  const isWhole = scales.every((scale) => Number.isInteger(scale) && scale >= 1);
  return isNearest && coordinates === 'half_pixel' && nearest.startsWith('round_prefer') && isWhole;
}

const LATER = [
  'coordinate_transformation_mode',
  'nearest_mode',
  'cubic_coeff_a',
  'exclude_outside',
  'extrapolation_value',
];

const withoutCoordinates: Recipe = (step) => {
  const { node } = step;
  const scales = numbersIn(step, 2);
  const known = scales?.length === 0 || !node.input[2] ? scalesOfSizes(step) : scales;
  if (told(step, 'mode') === 'cubic') return block('mode=cubic needs Resize 11');
  if (!isAsymmetric(step, known ?? [0.5]))
    return block(
      `coordinate_transformation_mode=${told(step, 'coordinate_transformation_mode')}, nearest_mode=${told(step, 'nearest_mode')} needs Resize 11; Resize 10 is asymmetric with floor`,
    );
  const draft = draftOf(step);
  const given =
    known === scales ? (node.input[2] as string) : draft.constant('float32', [known?.length ?? 0], known ?? []);
  return draft.end('Resize', [node.input[0] as string, given], withoutAttributes(node, ...LATER).attribute);
};

/** Scales that produce the given sizes. */
function scalesOfSizes(step: Step): number[] {
  const dims = neededDims(step, 0);
  const sizes = neededNumbers(step, 3);
  return sizes.map((size, i) => {
    const dim = dims[i];
    const scale = typeof dim === 'number' ? Math.fround(size / dim) : undefined;
    return scale !== undefined && Math.floor(Math.fround((dim as number) * scale)) === size
      ? scale
      : block(`no scale resizes ${formatSize(dim)} to ${size}, and sizes needs Resize 11`);
  });
}

/** Rounding modes that replace `tf_half_pixel_for_nn` by `half_pixel`, which is shifted by half a pixel. */
const SHIFTED: Readonly<Record<string, string>> = { floor: 'round_prefer_ceil', round_prefer_floor: 'ceil' };

const optionalUp: Recipe = (step) => {
  const { node } = step;
  const input = node.input.map((name, i) => (i > 0 && numbersIn(step, i)?.length === 0 ? '' : name));
  const moved = withInputs(node, input);
  if (told(step, 'coordinate_transformation_mode') !== 'tf_half_pixel_for_nn') return [moved];
  const rounding = told(step, 'mode') === 'nearest' ? SHIFTED[told(step, 'nearest_mode')] : undefined;
  if (!rounding) return block('Resize 13 does not support coordinate_transformation_mode=tf_half_pixel_for_nn');
  return [
    withAttributes(moved, string('coordinate_transformation_mode', 'half_pixel'), string('nearest_mode', rounding)),
  ];
};

/** Omitted inputs are empty tensors in the older version. */
const optionalDown: Recipe = (step) => {
  const { node } = step;
  const draft: Draft = draftOf(step);
  const nothing = () => draft.constant('float32', [0], []);
  const [x = '', roi, scales, sizes] = node.input;
  const rest = sizes ? [sizes] : [];
  return draft.end('Resize', [x, roi || nothing(), scales || nothing(), ...rest], node.attribute);
};

/** Expands sizes or scales of some axes to all axes. */
const allAxes: Recipe = (step) => {
  const { node } = step;
  const axes = numbersAt(node, 'axes');
  const dims = dimsAt(step, 0);
  if (!axes) return [node];
  const position = node.input[3] ? 3 : 2;
  const values = numbersIn(step, position);
  if (!dims || !values || node.input[1]) return block(`axes=${axes} needs Resize 18`);
  const all = dims.map((dim) =>
    position === 2 ? 1 : typeof dim === 'number' ? dim : block(`axes=${axes} needs Resize 18`),
  );
  for (const [i, axis] of axes.entries()) all[axis < 0 ? axis + dims.length : axis] = values[i] as number;
  const draft = draftOf(step);
  const input = [...node.input];
  input[position] = draft.constant(position === 2 ? 'float32' : 'int64', [all.length], all);
  return draft.end('Resize', input, withoutAttributes(node, 'axes').attribute);
};

/** https://onnx.ai/onnx/operators/onnx__Resize.html */
export const RESIZING: Recipes = {
  'Upsample 7': { up: sidesToScales, down: scalesToSides },
  'Upsample 10': { up: upsampleToResize },
  'Resize 10': { down: resizeToUpsample },
  'Resize 11': { up: withCoordinates, down: withoutCoordinates },
  'Resize 13': { up: optionalUp, down: optionalDown },
  'Resize 18': { down: allAxes },
};
