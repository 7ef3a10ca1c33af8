import { intsAttribute, intsOf, stringOf } from '../graph/attributes.js';
import type { Attributes } from '../graph/graph.js';
import { isKnown } from '../graph/sizes.js';
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

/** Along some axes, one after the other, each element as a weighted sum of those of the operand. */
export const resize: Primitive<Resized> = {
  name: 'resize',
  facts: {},
  // The nearest elements are taken as they are, whatever their type.
  reference: (c, resized) => [resizeOnHost(c.tensor(0), tablesOf(resized), resized.how.mode === 'nearest')],
};

export function resizeParameters(c: Inference<ResizeAttributes>): Resized | undefined {
  const dims = c.dims(0);
  return isKnown(dims) ? resizedOf(c, dims) : undefined;
}

/** The nearest element is found as fast in any order of axes. */
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
  infer: (c) => [like(c, 0, lengthsOf(c))],
  channelsFirst: nearestTwin,
  computes: by(resize, resizeParameters),
});
