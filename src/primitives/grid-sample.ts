import type { Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';
import { type GridAttributes, gridAttributes, type Sampling, samplingOf, tapsAt } from './grid-taps.js';

/** Samples X [N, spatial…, C] at the places of a grid [N, out…, axes]; coordinates inside the image are in −1…1. */
export const gridSampling: Primitive<Sampling> = {
  name: 'gridSampling',
  facts: { layout: 'channels-last' },
  reference(c, sampling) {
    const { element, dims } = c.result(0);
    const [values, places] = [numbersOf(c.tensor(0)), numbersOf(c.tensor(1))];
    const sizes = c.tensor(0).dims.slice(1, -1);
    const channels = dims.at(-1) as number;
    const [rank, plane, points] = [sizes.length, elementCount(sizes), elementCount(dims.slice(1, -1))];
    const y = new Float64Array(elementCount(dims));
    for (let point = 0; point < (dims[0] as number) * points; point++) {
      const first = Math.floor(point / points) * plane;
      const place = sizes.map((_, axis) => places[point * rank + rank - 1 - axis] as number);
      for (const { at, weight } of tapsAt(sampling, place, sizes).filter((tap) => tap.weight !== 0)) {
        for (let channel = 0; channel < channels; channel++) {
          const to = point * channels + channel;
          y[to] = (y[to] as number) + weight * (values[(first + at) * channels + channel] as number);
        }
      }
    }
    return [tensorOf(element, dims, y)];
  },
};

/** GridSample on [N, spatial…, C]. */
export const gridSampleOperator = defineOp({
  domain: 'sardonyx',
  name: 'GridSample',
  signature: 'X: T, grid: T -> Y: T',
  types: { T: ['float32'] },
  attributes: gridAttributes,
  guarded: true,
  infer(c) {
    const [x, grid] = [c.dims(0), c.dims(1)];
    if (x) requireDims(c, 1, [x[0], ...x.slice(1, -1).map(() => undefined), x.length - 2]);
    return [tensorType(c.element(0), x && grid && [...grid.slice(0, -1), x.at(-1) as Size])];
  },
  computes: by(gridSampling, (c: Inference<GridAttributes>) => samplingOf(c, 1)),
});
