import { intAttribute } from '../../graph/attributes.js';
import { broadcast } from '../../graph/dims.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { like } from '../../schema/shapes.js';
import { emitOne, listOf } from '../emit.js';

/** Undoes a broadcast: sums `data` over the axes along which a tensor of `target`'s dims was repeated. */
export const reduceTo = defineOp({
  domain: 'sardonyx',
  name: 'ReduceTo',
  signature: 'data: T, target: T1 -> reduced: T',
  types: { T: FLOATS, T1: FLOATS },
  infer: (c) => [like(c, 0, c.dims(1))],
  decompose(c) {
    const [dims, target] = [c.dims(0), c.dims(1)];
    if (!dims || !target) return undefined;
    const joined = broadcast(dims, target);
    if (typeof joined === 'string' || target.length > dims.length)
      c.fail('INVALID_SHAPE', `[${target}] does not broadcast to [${dims}]`);
    const extra = dims.length - target.length;
    const known = target.every((d, i) => d === dims[extra + i] || d === 1);
    if (!known) return undefined;
    const added = Array.from({ length: extra }, (_, i) => i);
    const repeated = target.flatMap((d, i) => (d === 1 && dims[extra + i] !== 1 ? [extra + i] : []));
    const sum = (value: typeof x, axes: number[], keepdims: number) =>
      axes.length > 0 ? emitOne(c, 'ReduceSum', [value, listOf(c, axes)], { keepdims: intAttribute(keepdims) }) : value;
    const x = c.input(0);
    const reduced = sum(sum(x, repeated, 1), added, 0);
    return [reduced === x ? emitOne(c, 'Identity', [x]) : reduced];
  },
});
