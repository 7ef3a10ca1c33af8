import type { Value } from '../../../graph/graph.js';
import { isKnown } from '../../../graph/sizes.js';
import { int, string } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axisOf, sameAsInput } from '../../../schema/shapes.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';

/** https://onnx.ai/onnx/operators/onnx__TensorScatter.html: a ScatterND whose positions along `axis` start at those of an input. */
export const tensorScatter = defineOp({
  name: 'TensorScatter',
  since: 24,
  signature: 'past_cache: T, update: T, write_indices?: int64 -> present_cache: T',
  types: { T: ANY },
  attributes: { axis: int(-2), mode: string('linear') },
  infer: sameAsInput,
  decompose(c) {
    const [cache, update] = [c.dims(0), c.dims(1)];
    if (!isKnown(cache) || !isKnown(update)) return undefined;
    const { mode } = c.attributes;
    if (mode !== 'linear' && mode !== 'circular')
      c.fail('INVALID_ATTRIBUTE', `mode "${mode}" is not one of linear, circular`);
    const axis = axisOf(c, c.attributes.axis, cache.length);
    const fits = cache.every((size, d) => (d === axis ? (update[d] ?? 0) <= size : update[d] === size));
    if (axis === 0 || update.length !== cache.length || !fits)
      c.fail('INVALID_SHAPE', `update [${update}] does not fit into cache [${cache}] along axis ${axis}`);
    const outer = update.slice(0, axis);
    const length = update[axis] as number;
    const int64 = (dims: readonly number[], values: readonly number[]) => c.constant(tensorOf('int64', dims, values));
    const list = (values: readonly number[]) => int64([values.length], values);
    const steps = Array.from({ length }, (_, i) => i);
    let places = int64([length, 1], steps);
    if (c.given(2)) {
      const starts = c.emit('Reshape', [c.input(2), list([update[0] as number, ...outer.map(() => 1), 1])]);
      [places] = c.emit('Add', [...starts, places]) as [Value];
    }
    if (mode === 'circular') [places] = c.emit('Mod', [places, list([cache[axis] as number])]) as [Value];
    const spread = c.emit('Expand', [places, list([...outer, length, 1])]);
    const rows = elementCount(outer);
    const prefixes = Array.from({ length: rows * length }, (_, i) => positionAt(Math.floor(i / length), outer));
    const indices = c.emit('Concat', [int64([...outer, length, axis], prefixes.flat()), ...spread], {
      axis: { type: 'int', value: -1 },
    });
    return c.emit('ScatterND', [c.input(0), ...indices, c.input(1)]);
  },
});

/** Coordinates of the row-major index `index`. */
function positionAt(index: number, dims: readonly number[]): number[] {
  let rest = index;
  return dims
    .toReversed()
    .map((size) => {
      const at = rest % size;
      rest = Math.floor(rest / size);
      return at;
    })
    .reverse();
}
