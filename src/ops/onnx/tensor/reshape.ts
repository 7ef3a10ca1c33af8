import { areDecided, differ, isSame } from '../../../graph/guards.js';
import {
  floorDivide,
  formatSize,
  formatSizes,
  multiply,
  product,
  quotientOf,
  type Size,
} from '../../../graph/sizes.js';
import { int, ints } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { openDims } from '../../../schema/shapes.js';
import { viewOf } from '../../view.js';

/** The output shape for `shape`: 0 copies the input's dimension unless `allowZero`; −1 is inferred. */
function reshapedDims(c: Inference<unknown>, shape: readonly Size[], allowZero: boolean): readonly Size[] {
  const from = c.dims(0);
  const dims = shape.map((d, i): Size => {
    if (allowZero || !isSame(d, 0)) return d;
    if (!from) return c.unknown();
    return (
      from[i] ??
      c.fail(
        'INVALID_SHAPE',
        `shape [${formatSizes(shape)}] copies dim ${i}, which [${formatSizes(from)}] does not have`,
      )
    );
  });
  const open = dims.findIndex((d) => isSame(d, -1));
  if (open < 0) {
    if (from && differ(product(from), product(dims))) {
      const [before, after] = [from, dims].map((sizes) => formatSize(product(sizes)));
      c.fail('INVALID_SHAPE', `[${formatSizes(from)}] has ${before} elements, [${formatSizes(dims)}] has ${after}`);
    }
    return dims;
  }
  if (dims.some((d, i) => i > open && isSame(d, -1)))
    c.fail('INVALID_SHAPE', `shape [${formatSizes(shape)}] has more than one -1`);
  dims[open] = from
    ? quotient(
        c,
        from,
        dims.filter((_, i) => i !== open),
      )
    : c.unknown();
  return dims;
}

/** The number of elements of `from` divided by that of the other dimensions. */
function quotient(c: Inference<unknown>, from: readonly Size[], others: readonly Size[]): Size {
  const [count, divisor] = [product(from), product(others)];
  const refuse = () =>
    c.fail('INVALID_SHAPE', `[${formatSizes(from)}] cannot be reshaped to [${formatSizes(others)}] and one more dim`);
  if (isSame(divisor, 0)) return refuse();
  const exact = quotientOf(count, divisor);
  if (exact !== undefined) return exact;
  if (!areDecided([count, divisor])) return c.unknown();
  const whole = floorDivide(count, divisor);
  return isSame(multiply(whole, divisor), count) ? whole : refuse();
}

const rankOnly = (c: Inference<unknown>): Size[] | undefined => openDims(c, c.dims(1)?.[0]);

/** https://onnx.ai/onnx/operators/onnx__Reshape.html */
export const reshape = [
  defineOp({
    name: 'Reshape',
    since: 5,
    signature: 'data: T, shape: int64 -> reshaped: T',
    types: { T: ANY },
    attributes: { allowzero: int(0) },
    planned: [1],
    guarded: true,
    ...viewOf<{ readonly allowzero: number }>((c) => {
      const shape = c.sizes(1);
      return shape ? reshapedDims(c, shape, c.attributes.allowzero !== 0) : rankOnly(c);
    }),
  }),
  defineOp({
    name: 'Reshape',
    since: 1,
    signature: 'data: T -> reshaped: T',
    types: { T: ANY },
    attributes: { shape: ints([]), consumed_inputs: ints() },
    guarded: true,
    ...viewOf<{ readonly shape: readonly number[] }>((c) => reshapedDims(c, c.attributes.shape, false)),
  }),
];
