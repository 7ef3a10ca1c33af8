import { formatSizes } from '../graph/sizes.js';
import type { Inference, Primitive } from '../schema/definition.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { evaluateIndexed, FILL, type IndexMaps } from './indexed-copy.js';
import { inverse } from './transpose.js';

/** Elements added before and after one axis; negative numbers remove elements. */
export type Padding = readonly [before: number, after: number];

/** Values beyond the ends of an axis. */
export const PAD_MODES = ['constant', 'edge', 'wrap', 'reflect'] as const;

export type PadMode = (typeof PAD_MODES)[number];

export interface PadParameters {
  readonly mode: PadMode;
  /** Padding of each axis. */
  readonly paddings: readonly Padding[];
  /** The value in mode `constant`; undefined means zero. */
  readonly fill: TensorValue | undefined;
}

/** The source position at position `i` of an axis of `length`. */
const SHOWN: Record<PadMode, (i: number, length: number) => number> = {
  constant: (i, length) => (i >= 0 && i < length ? i : FILL),
  edge: (i, length) => Math.min(Math.max(i, 0), length - 1),
  wrap: (i, length) => ((i % length) + length) % length,
  reflect(i, length) {
    const period = Math.max(2 * (length - 1), 1);
    const at = ((i % period) + period) % period;
    return Math.min(at, period - at) % length;
  },
};

/** The position of the source at each position of the result, along one axis of `length`. */
export function mapOf(
  c: Inference<unknown>,
  { paddings, mode }: PadParameters,
  axis: number,
  length: number,
): Int32Array {
  const [before, after] = paddings[axis] as Padding;
  const padded = Math.max(0, before + length + after);
  if (length === 0 && padded > 0 && mode !== 'constant')
    c.fail(
      'INVALID_SHAPE',
      `axis ${axis} of [${formatSizes(c.dims(0) ?? [])}] is empty; mode "${mode}" has nothing to show`,
    );
  return Int32Array.from({ length: padded }, (_, i) => SHOWN[mode](i - before, length));
}

const mapsOf = (c: Inference<unknown>, parameters: PadParameters, dims: readonly number[]): IndexMaps =>
  dims.map((length, axis) => mapOf(c, parameters, axis, length));

function beforeTransposition(parameters: PadParameters, perm: readonly number[]) {
  const paddings = inverse(perm).map((axis) => parameters.paddings[axis] as Padding);
  return { parameters: { ...parameters, paddings }, perm };
}

/** The operand, padded or cropped at the ends of its axes. */
export const pad: Primitive<PadParameters> = {
  name: 'pad',
  facts: { moves: () => true, beforeTransposition },
  reference(c, parameters) {
    const x = c.tensor(0);
    return [evaluateIndexed(x, mapsOf(c, parameters, x.dims), parameters.fill)];
  },
};
