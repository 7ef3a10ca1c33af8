import { intsAttribute, intsOf, stringOf } from '../graph/attributes.js';
import type { Attributes } from '../graph/graph.js';
import { areDecided, hintOf } from '../graph/guards.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { FLOATS } from '../schema/element-sets.js';
import { like } from '../schema/shapes.js';
import { toChannelsLast } from './channels-last.js';
import {
  lengthsOf,
  type ResizeAttributes,
  type Resized,
  ROI,
  resizeAttributes,
  resizedOf,
  resizeSignature,
  SCALES,
  SIZES,
  tablesOf,
} from './resize-geometry.js';
import { resizeOnHost } from './resize-on-host.js';

/** Resizes along some axes, one after the other: each element is a weighted sum of elements of the operand. */
export const resize: Primitive<Resized> = {
  name: 'resize',
  facts: {},
  // The nearest elements are copied, whatever their type.
  reference: (c, resized) => [resizeOnHost(c.tensor(0), tablesOf(resized), resized.how.mode === 'nearest')],
};

export function resizeParameters(c: Inference<ResizeAttributes>): Resized | undefined {
  const dims = c.dims(0);
  return dims && areDecided(dims) ? resizedOf(c, dims.map(hintOf)) : undefined;
}

/** The channels-last version of a nearest resize, which is as fast in any order of axes. */
function nearestTwin(attributes: Attributes, rank: number) {
  const axes = intsOf(attributes, 'axes');
  if (!axes || stringOf(attributes, 'mode', 'nearest') !== 'nearest') return undefined;
  const order = toChannelsLast(rank);
  return {
    operator: 'sardonyx:Resize',
    attributes: { ...attributes, axes: intsAttribute(axes.map((axis) => order[axis] as number)) },
  };
}

export const resizeOperator = defineOp({
  domain: 'sardonyx',
  name: 'Resize',
  signature: resizeSignature,
  types: { T1: ['float32'], T2: FLOATS },
  attributes: resizeAttributes,
  planned: [ROI, SCALES, SIZES],
  guarded: true,
  infer: (c) => [like(c, 0, lengthsOf(c))],
  channelsFirst: nearestTwin,
  computes: by(resize, resizeParameters),
});
