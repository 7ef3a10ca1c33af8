import { stridesOf } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { int, string } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { BOOL, FLOATS, NUMBERS } from '../element-sets.js';
import { axisTaps, type Sampling } from './grid-taps.js';

interface GridAttributes {
  readonly align_corners: number;
  readonly mode: string;
  readonly padding_mode: string;
}

const MODES: Readonly<Record<string, Sampling['mode']>> = {
  nearest: 'nearest',
  linear: 'linear',
  bilinear: 'linear',
  cubic: 'cubic',
  bicubic: 'cubic',
};

const PADDINGS: readonly string[] = ['zeros', 'border', 'reflection'] satisfies Sampling['padding'][];

function samplingOf(c: Inference<GridAttributes>): Sampling {
  const { mode, padding_mode, align_corners } = c.attributes;
  const known = MODES[mode];
  if (!known) return c.fail('INVALID_ATTRIBUTE', `mode "${mode}" is none of ${Object.keys(MODES).join(', ')}`);
  if (!PADDINGS.includes(padding_mode)) {
    c.fail('INVALID_ATTRIBUTE', `padding_mode "${padding_mode}" is none of ${PADDINGS.join(', ')}`);
  }
  return { mode: known, padding: padding_mode as Sampling['padding'], alignCorners: align_corners !== 0 };
}

/** https://onnx.ai/onnx/operators/onnx__GridSample.html */
export const gridSample = defineOp({
  name: 'GridSample',
  since: 16,
  signature: 'X: T1, grid: T2 -> Y: T1',
  types: { T1: [...NUMBERS, ...BOOL], T2: FLOATS },
  attributes: { align_corners: int(0), mode: string('linear'), padding_mode: string('zeros') },
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
    const [values, places] = [numbersOf(x), numbersOf(grid)];
    const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
    const outDims = grid.dims.slice(1, -1);
    const sampling = samplingOf(c);
    const steps = stridesOf(sizes);
    const plane = elementCount(sizes);
    const points = elementCount(outDims);
    const rank = sizes.length;
    const y = new Float64Array(batch * channels * points);
    for (let point = 0; point < batch * points; point++) {
      const n = Math.floor(point / points);
      let taps = [{ at: 0, weight: 1 }];
      sizes.forEach((size, axis) => {
        const along = axisTaps(sampling, places[point * rank + rank - 1 - axis] as number, size);
        const step = steps[axis] as number;
        taps = taps.flatMap((outer) =>
          along.map(({ at, weight }) => ({ at: outer.at + at * step, weight: outer.weight * weight })),
        );
      });
      for (let channel = 0; channel < channels; channel++) {
        const first = (n * channels + channel) * plane;
        let sum = 0;
        for (const { at, weight } of taps) sum += weight * (values[first + at] as number);
        y[(n * channels + channel) * points + (point % points)] = sum;
      }
    }
    return [tensorOf(x.type, [batch, channels, ...outDims], y)];
  },
});
