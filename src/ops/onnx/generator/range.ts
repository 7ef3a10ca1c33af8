import { add, ceilDivide, isKnown, maximum, type Size, subtract } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { numberAt } from '../../../schema/shapes.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

const TYPES: readonly ElementType[] = [...FLOATS, 'int16', 'int32', 'int64'];

const scalar = (x: TensorValue) => numbersOf(x)[0] as number;

/** Difference of the bounds; exact for int64, where they may exceed 2⁵³. */
const distance = (from: TensorValue, to: TensorValue): number =>
  from.type === 'int64'
    ? Number(BigInt(to.data[0] as never) - BigInt(from.data[0] as never))
    : scalar(to) - scalar(from);

function countOf(c: Inference<unknown>, [start, limit, delta]: readonly TensorValue[]): number {
  const step = scalar(delta as TensorValue);
  if (step === 0) c.fail('INVALID_VALUE', 'delta must not be 0');
  const count = Math.max(0, Math.ceil(distance(start as TensorValue, limit as TensorValue) / step));
  return Number.isFinite(count)
    ? count
    : c.fail(
        'INVALID_VALUE',
        `steps of ${step} from ${scalar(start as TensorValue)} to ${scalar(limit as TensorValue)} never end`,
      );
}

/** Longer ranges are not sizes of anything. */
const MOST_SIZES = 64;

/** A range of integers some of whose bounds are open, in known steps. */
function openRange(c: Inference<unknown>): { start: Size; step: number; length: Size } | undefined {
  const [start, limit, step] = [0, 1, 2].map((i) => c.sizes(i)?.[0]);
  if (start === undefined || limit === undefined || typeof step !== 'number' || step === 0) return undefined;
  if (isKnown([start, limit])) return undefined;
  const distance = step > 0 ? subtract(limit, start) : subtract(start, limit);
  return { start, step, length: maximum(ceilDivide(distance, Math.abs(step)), 0) };
}

/** https://onnx.ai/onnx/operators/onnx__Range.html */
export const range = defineOp({
  name: 'Range',
  since: 11,
  signature: 'start: T, limit: T, delta: T -> output: T',
  types: { T: TYPES },
  attributes: { stash_type: int(1) },
  planned: [0, 1, 2],
  guarded: true,
  infer(c) {
    const open = openRange(c);
    if (open) return [tensorType(c.element(0), [open.length])];
    for (const i of [0, 1, 2]) numberAt(c, i);
    const known = [0, 1, 2].map((i) => c.contents(i)).filter((x) => x !== undefined);
    if (known.length === 3) return [tensorType(c.element(0), [countOf(c, known)])];
    return [tensorType(c.element(0), [c.unknown()])];
  },
  sizes(c) {
    const { start = 0, step = 0, length } = openRange(c) ?? {};
    if (typeof length !== 'number' || length > MOST_SIZES) return undefined;
    return Array.from({ length }, (_, i) => add(start, i * step));
  },
  evaluate(c) {
    const count = countOf(c, [c.tensor(0), c.tensor(1), c.tensor(2)]);
    if (c.element(0) === 'int64') {
      const [from, by] = [c.tensor(0).data[0], c.tensor(2).data[0]] as unknown as [bigint, bigint];
      const data = new BigInt64Array(count);
      for (let i = 0, at = from; i < count; i++, at += by) data[i] = at;
      return [{ type: 'int64', dims: [count], data }];
    }
    const [start, delta] = [scalar(c.tensor(0)), scalar(c.tensor(2))];
    const values = Float64Array.from({ length: count }, (_, i) => start + i * delta);
    return [tensorOf(c.element(0), [count], values)];
  },
});
