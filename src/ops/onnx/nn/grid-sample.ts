import type { Value } from '../../../graph/graph.js';
import { differ } from '../../../graph/guards.js';
import { formatSize, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { toChannelsFirst, toChannelsLast } from '../../../primitives/channels-last.js';
import { gridAttributes, type PlaneTap, samplingOf, tapsAt } from '../../../primitives/grid-taps.js';
import { defineOp } from '../../../schema/definition.js';
import { BOOL, FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { emptyData } from '../../../tensor/empty-data.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { permutation } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

const SAMPLED: readonly ElementType[] = [...NUMBERS, ...BOOL, 'string', 'complex64', 'complex128'];

/** https://onnx.ai/onnx/operators/onnx__GridSample.html */
export const gridSample = defineOp({
  name: 'GridSample',
  since: 16,
  signature: 'X: T1, grid: T2 -> Y: T1',
  types: { T1: SAMPLED, T2: FLOATS },
  attributes: gridAttributes,
  infer(c) {
    samplingOf(c, 1);
    const [x, grid] = [c.dims(0), c.dims(1)];
    if (x && grid && (x.length < 3 || grid.length !== x.length)) {
      c.fail('INVALID_SHAPE', `X [${x}] and grid [${grid}] must have the same rank of at least 3`);
    }
    if (x && grid && (differ(x[0], grid[0]) || differ(grid.at(-1), x.length - 2))) {
      const wanted = `[${formatSize(x[0])}, …, ${x.length - 2}]`;
      c.fail('INVALID_SHAPE', `grid for X [${x}] must be ${wanted}, not [${grid}]`);
    }
    return [tensorType(c.element(0), x && grid && [...(x.slice(0, 2) as Size[]), ...grid.slice(1, -1)])];
  },
  decompose(c) {
    const rank = c.dims(0)?.length ?? c.dims(1)?.length;
    if (rank === undefined || rank > 5) return undefined;
    if (c.element(0) !== 'float32' || c.element(1) !== 'float32') {
      return FLOATS.includes(c.element(0)) ? throughFloat32(c) : undefined;
    }
    const [x] = c.emit('Transpose', [c.input(0)], permutation(toChannelsLast(rank))) as [Value];
    const [y] = c.emit('sardonyx:GridSample', [x, c.input(1)], c.node.attributes) as [Value];
    return c.emit('Transpose', [y], permutation(toChannelsFirst(rank)));
  },
  evaluate(c) {
    const [x, grid] = [c.tensor(0), c.tensor(1)];
    const places = numbersOf(grid);
    const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
    const outDims = grid.dims.slice(1, -1);
    const sampling = samplingOf(c, 1);
    if (x.type === 'string' && sampling.mode !== 'nearest') c.fail('INVALID_TYPE', 'strings need the mode nearest');
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

/** Fills a tensor of shape `dims` with weighted sums of elements of x; for strings, with the sampled element. */
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
