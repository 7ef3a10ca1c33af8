import { stridesOf } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { ELEMENTS, type ElementType } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { elementCount, emptyData, type TensorValue } from '../../tensor/tensor-value.js';
import { int, string } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { BOOL, FLOATS, NUMBERS } from '../element-sets.js';
import { axisTaps, type Sampling } from './grid-taps.js';

export interface GridAttributes {
  readonly align_corners: number;
  readonly mode: string;
  readonly padding_mode: string;
}

export const gridAttributes = { align_corners: int(0), mode: string('linear'), padding_mode: string('zeros') };

const MODES: Readonly<Record<string, Sampling['mode']>> = {
  nearest: 'nearest',
  linear: 'linear',
  bilinear: 'linear',
  cubic: 'cubic',
  bicubic: 'cubic',
};

const PADDINGS: readonly string[] = ['zeros', 'border', 'reflection'] satisfies Sampling['padding'][];

export function samplingOf(c: Inference<GridAttributes>): Sampling {
  const { mode, padding_mode, align_corners } = c.attributes;
  const known = MODES[mode];
  if (!known) return c.fail('INVALID_ATTRIBUTE', `mode "${mode}" is none of ${Object.keys(MODES).join(', ')}`);
  if (!PADDINGS.includes(padding_mode)) {
    c.fail('INVALID_ATTRIBUTE', `padding_mode "${padding_mode}" is none of ${PADDINGS.join(', ')}`);
  }
  return { mode: known, padding: padding_mode as Sampling['padding'], alignCorners: align_corners !== 0 };
}

const SAMPLED: readonly ElementType[] = [...NUMBERS, ...BOOL, 'string', 'complex64', 'complex128'];

/** https://onnx.ai/onnx/operators/onnx__GridSample.html */
export const gridSample = defineOp({
  name: 'GridSample',
  since: 16,
  signature: 'X: T1, grid: T2 -> Y: T1',
  types: { T1: SAMPLED, T2: FLOATS },
  attributes: gridAttributes,
  infer(c) {
    samplingOf(c);
    const [x, grid] = [c.dims(0), c.dims(1)];
    if (x && grid && (x.length < 3 || grid.length !== x.length)) {
      c.fail('INVALID_SHAPE', `samples [${x}] by a grid [${grid}]; both must have the same rank, 3 or more`);
    }
    return [tensorType(c.element(0), x && grid && [...(x.slice(0, 2) as Dim[]), ...grid.slice(1, -1)])];
  },
  evaluate(c) {
    const [x, grid] = [c.tensor(0), c.tensor(1)];
    const places = numbersOf(grid);
    const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
    const outDims = grid.dims.slice(1, -1);
    const sampling = samplingOf(c);
    if (x.type === 'string' && sampling.mode !== 'nearest')
      c.fail('INVALID_TYPE', 'strings have only the mode nearest');
    const plane = elementCount(sizes);
    const points = elementCount(outDims);
    const rank = sizes.length;
    const read = readerOf(x, [batch, channels, ...outDims]);
    for (let point = 0; point < batch * points; point++) {
      const n = Math.floor(point / points);
      const place = sizes.map((_, axis) => places[point * rank + rank - 1 - axis] as number);
      const taps = tapsAt(sampling, place, sizes).filter(({ weight }) => weight !== 0);
      for (let channel = 0; channel < channels; channel++) {
        const at = n * channels + channel;
        read.into(at * points + (point % points), at * plane, taps);
      }
    }
    return [read.result()];
  },
});

/** A pixel of a plane, and its share. */
interface PlaneTap {
  readonly at: number;
  readonly weight: number;
  /** Change of the weight with the place along each axis. */
  readonly slopes: readonly number[];
}

/** The pixels that a place in −1…1 reads. */
export function tapsAt(sampling: Sampling, place: readonly number[], sizes: readonly number[]): PlaneTap[] {
  const steps = stridesOf(sizes);
  let taps: PlaneTap[] = [{ at: 0, weight: 1, slopes: [] }];
  sizes.forEach((size, axis) => {
    const along = axisTaps(sampling, place[axis] as number, size);
    const step = steps[axis] as number;
    taps = taps.flatMap((outer) =>
      along.map(({ at, weight, slope }) => ({
        at: outer.at + at * step,
        weight: outer.weight * weight,
        slopes: [...outer.slopes.map((own) => own * weight), outer.weight * slope],
      })),
    );
  });
  return taps;
}

/** Fills a tensor of `dims` with weighted sums of elements of x; of strings, with the one that is read. */
function readerOf(x: TensorValue, dims: readonly number[]) {
  if (x.type === 'string') {
    const texts = x.data as readonly string[];
    const data = emptyData('string', dims) as string[];
    return {
      into(to: number, first: number, taps: readonly PlaneTap[]) {
        for (const { at } of taps) data[to] = texts[first + at] as string;
      },
      result: (): TensorValue => ({ type: 'string', dims, data }),
    };
  }
  const { entries = 1 } = ELEMENTS[x.type];
  const values = entries === 1 ? numbersOf(x) : (x.data as Float64Array);
  const y = new Float64Array(entries * elementCount(dims));
  return {
    into(to: number, first: number, taps: readonly PlaneTap[]) {
      for (let e = 0; e < entries; e++) {
        let sum = 0;
        for (const { at, weight } of taps) sum += weight * (values[(first + at) * entries + e] as number);
        y[to * entries + e] = sum;
      }
    },
    result: (): TensorValue => tensorOf(x.type, dims, y),
  };
}
