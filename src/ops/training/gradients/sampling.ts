import type { Attributes, Value } from '../../../graph/graph.js';
import { ASYMMETRIC } from '../../../primitives/resize-geometry.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { emitOne } from '../../emit.js';
import { type Backward, type BackwardRule, type BackwardRules, upstreamOf } from './backward.js';

/** Attributes and scales with which the newest Resize equals an older Resize or Upsample. */
function asymmetric(c: Backward): { attributes: Attributes; scales: Value } {
  const { scales, height_scale, width_scale, mode } = c.attributes as Record<string, unknown>;
  const own = (scales ?? [1, 1, height_scale, width_scale]) as readonly number[];
  const words = Object.entries({ ...ASYMMETRIC, mode: mode as string });
  return {
    attributes: Object.fromEntries(words.map(([name, value]) => [name, { type: 'string', value }])),
    scales: c.given(1) ? c.input(1) : c.constant(tensorOf('float32', [own.length], own)),
  };
}

function resize(c: Backward): (Value | null)[] {
  const isNewest = c.node.op === 'Resize' && c.since >= 11;
  const given = [1, 2, 3].map((i) => (c.given(i) ? c.input(i) : null));
  const { attributes, scales } = isNewest ? { attributes: c.node.attributes, scales: null } : asymmetric(c);
  const inputs = isNewest ? given : [null, scales, null];
  return [emitOne(c, 'sardonyx:ResizeGradient', [c.input(0), ...inputs, upstreamOf(c)], attributes), null, null, null];
}

/** Has no gradient with respect to the regions: samples change in steps with their borders. */
const ofRegions =
  (name: string): BackwardRule =>
  (c) => [emitOne(c, `sardonyx:${name}Gradient`, [...c.node.inputs, upstreamOf(c)], c.node.attributes)];

const attributesOf = (c: Backward, names: readonly string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, { type: 'string', value: c.attributes[name] as string }]));

/** Gradients of operators that read images at computed positions. */
export const sampling: BackwardRules = {
  GridSample: (c) =>
    c.emit('sardonyx:GridSampleGradient', [upstreamOf(c), c.input(0), c.input(1)], c.node.attributes, 2),
  MaxRoiPool: ofRegions('MaxRoiPool'),
  Resize: resize,
  RoiAlign: (c) => {
    const attributes = { ...c.node.attributes, ...attributesOf(c, ['coordinate_transformation_mode']) };
    return [emitOne(c, 'sardonyx:RoiAlignGradient', [...c.node.inputs, upstreamOf(c)], attributes), undefined, null];
  },
  Upsample: resize,
};
