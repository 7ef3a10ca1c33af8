import { type GridAttributes, gridAttributes, samplingOf, tapsAt } from '../../primitives/grid-taps.js';
import { type ResizeAttributes, resizeAttributes, resizedOf, tablesOf } from '../../primitives/resize-geometry.js';
import { spreadOnHost } from '../../primitives/resize-on-host.js';
import { defineOp, type Evaluation } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { like } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';

/** Gradients of GridSample with respect to the images and the grid; `g` is the gradient of its output. */
export const gridSampleGradient = defineOp({
  domain: 'sardonyx',
  name: 'GridSampleGradient',
  signature: 'g: T1, X: T1, grid: T2 -> dX: T1, dGrid: T2',
  types: { T1: FLOATS, T2: FLOATS },
  attributes: gridAttributes,
  infer: (c) => [like(c, 1, c.dims(1)), like(c, 2, c.dims(2))],
  evaluate(c: Evaluation<GridAttributes>) {
    const [x, grid] = [c.tensor(1), c.tensor(2)];
    const [g, values, places] = [c.tensor(0), x, grid].map(numbersOf) as [number[], number[], number[]];
    const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
    const sampling = samplingOf(c, 2);
    const plane = elementCount(sizes);
    const points = elementCount(grid.dims.slice(1, -1));
    const rank = sizes.length;
    const [dx, dGrid] = [new Float64Array(values.length), new Float64Array(places.length)];
    for (let point = 0; point < batch * points; point++) {
      const place = sizes.map((_, axis) => places[point * rank + rank - 1 - axis] as number);
      const n = Math.floor(point / points);
      for (const { at, weight, slopes } of tapsAt(sampling, place, sizes)) {
        for (let channel = n * channels; channel < (n + 1) * channels; channel++) {
          const own = g[channel * points + (point % points)] as number;
          const from = channel * plane + at;
          dx[from] = (dx[from] as number) + weight * own;
          slopes.forEach((slope, axis) => {
            const to = point * rank + rank - 1 - axis;
            dGrid[to] = (dGrid[to] as number) + slope * own * (values[from] as number);
          });
        }
      }
    }
    return [tensorOf(x.type, x.dims, dx), tensorOf(grid.type, grid.dims, dGrid)];
  },
});

/** Gradient of Resize with respect to its input; `g` is the gradient of its output. */
export const resizeGradient = defineOp({
  domain: 'sardonyx',
  name: 'ResizeGradient',
  signature: 'x: T1, roi?: T2, scales?: float32, sizes?: int64, g: T1 -> dx: T1',
  types: { T1: FLOATS, T2: FLOATS },
  attributes: resizeAttributes,
  infer: (c) => [like(c, 0, c.dims(0))],
  evaluate(c: Evaluation<ResizeAttributes>) {
    const { dims } = c.tensor(0);
    return [spreadOnHost(c.tensor(4), tablesOf(resizedOf(c, dims)), dims)];
  },
});
