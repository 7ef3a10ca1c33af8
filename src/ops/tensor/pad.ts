import type { Lowering } from '../../backends/wasm/lowering.js';
import { derived } from '../../graph/dims.js';
import type { Dim } from '../../graph/types.js';
import { tensorOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { entryOf, float, ints, string } from '../attributes.js';
import { defineOp, type Evaluation, type Inference } from '../definition.js';
import { ANY, FLOATS, INDICES } from '../element-sets.js';
import { copyIndexed, evaluateIndexed, FILL, type IndexMaps } from '../indexed-copy.js';
import { axesOf, like } from '../shapes.js';

/** Elements added before and after one axis; negative ones are taken away. */
type Padding = readonly [before: number, after: number];

/** Which source position shows at position `i` of an axis of `length`. */
const MODES: Record<string, (i: number, length: number) => number> = {
  constant: (i, length) => (i >= 0 && i < length ? i : FILL),
  edge: (i, length) => Math.min(Math.max(i, 0), length - 1),
  wrap: (i, length) => ((i % length) + length) % length,
  reflect(i, length) {
    const period = Math.max(2 * (length - 1), 1);
    const at = ((i % period) + period) % period;
    return Math.min(at, period - at) % length;
  },
};

interface Attributes {
  readonly mode: string;
}

/** Where a version of Pad has its paddings and its value. */
interface Sources<A> {
  pads(c: Inference<A>): readonly Dim[] | undefined;
  axes?(c: Inference<A>): readonly Dim[] | undefined;
  value(c: Inference<A>): TensorValue | undefined;
}

function paddingsOf<A>(c: Inference<A>, { pads, axes }: Sources<A>, rank: number): Padding[] | undefined {
  const list = pads(c);
  const named = axes?.(c) ?? Array.from({ length: rank }, (_, i) => i);
  if (!list?.every((d) => typeof d === 'number')) return undefined;
  const padded = axesOf(c, named as number[], rank);
  if (list.length !== 2 * padded.length)
    c.fail('INVALID_VALUE', `pads [${list}] must have ${2 * padded.length} entries`);
  return Array.from({ length: rank }, (_, axis): Padding => {
    const i = padded.indexOf(axis);
    return i < 0 ? [0, 0] : [list[i] as number, list[i + padded.length] as number];
  });
}

function mapsOf(c: Inference<Attributes>, paddings: readonly Padding[], dims: readonly number[]): IndexMaps {
  const { mode } = c.attributes;
  const show =
    entryOf(MODES, mode) ?? c.fail('INVALID_ATTRIBUTE', `mode "${mode}" is none of ${Object.keys(MODES).join(', ')}`);
  return paddings.map(([before, after], axis) => {
    const length = dims[axis] as number;
    const padded = Math.max(0, before + length + after);
    if (length === 0 && padded > 0 && mode !== 'constant')
      c.fail('INVALID_SHAPE', `axis ${axis} of [${dims}] is empty; mode "${mode}" has nothing to show`);
    return Int32Array.from({ length: padded }, (_, i) => show(i - before, length));
  });
}

/** The rules of Pad, given where its paddings stand. */
function padding<A extends Attributes>(sources: Sources<A>) {
  return {
    infer(c: Inference<A>) {
      const dims = c.dims(0);
      const paddings = dims && paddingsOf(c, sources, dims.length);
      const padded = dims?.map((dim, axis) => {
        const [before, after] = paddings?.[axis] ?? [0, 0];
        if (!paddings) return c.unknown();
        return before + after === 0
          ? dim
          : derived(`pad${before + after}`, [dim], (n) => Math.max(0, n + before + after));
      });
      return [like(c, 0, padded)];
    },
    evaluate(c: Evaluation<A>) {
      const x = c.tensor(0);
      const maps = mapsOf(c, paddingsOf(c, sources, x.dims.length) as Padding[], x.dims);
      return [evaluateIndexed(x, maps, sources.value(c))];
    },
    lower(c: Lowering<A>): 'host' | undefined {
      const dims = c.shape(0);
      const paddings = paddingsOf(c, sources, dims.length) as Padding[];
      if (paddings.flat().every((n) => n === 0)) {
        c.alias(0, 0);
        return;
      }
      return copyIndexed(c, mapsOf(c, paddings, dims), sources.value(c));
    },
  };
}

const padAttributes = { mode: string('constant'), value: float(0) };

/** https://onnx.ai/onnx/operators/onnx__Pad.html */
export const pad = [
  defineOp({
    name: 'Pad',
    since: 11,
    signature: 'data: T, pads: int64, constant_value?: T, axes?: Tind -> output: T',
    types: { T: ANY, Tind: INDICES },
    attributes: { mode: string('constant') },
    planned: [1, 2, 3],
    ...padding({
      pads: (c) => c.sizes(1),
      axes: (c) => (c.given(3) ? c.sizes(3) : undefined),
      value: (c) => (c.given(2) ? c.contents(2) : undefined),
    }),
  }),
  defineOp({
    name: 'Pad',
    since: 2,
    signature: 'data: T -> output: T',
    types: { T: FLOATS },
    attributes: { ...padAttributes, pads: ints.required },
    ...padding<Attributes & { readonly pads: readonly number[]; readonly value: number }>({
      pads: (c) => c.attributes.pads,
      value: (c) => tensorOf(c.element(0), [1], [c.attributes.value]),
    }),
  }),
  defineOp({
    name: 'Pad',
    signature: 'data: T -> output: T',
    types: { T: FLOATS },
    attributes: { ...padAttributes, paddings: ints.required },
    ...padding<Attributes & { readonly paddings: readonly number[]; readonly value: number }>({
      pads: (c) => c.attributes.paddings,
      value: (c) => tensorOf(c.element(0), [1], [c.attributes.value]),
    }),
  }),
];
