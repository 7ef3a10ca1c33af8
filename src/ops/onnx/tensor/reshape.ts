import { isKnown, product, quotientOf, type Size } from '../../../graph/sizes.js';
import { int, ints } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { openDims } from '../../../schema/shapes.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { viewOf } from '../../view.js';

/** The output shape for `shape`: 0 copies the input's dimension unless `allowZero`; −1 is inferred. */
function reshapedDims(c: Inference<unknown>, shape: readonly Size[], allowZero: boolean): readonly Size[] {
  const from = c.dims(0);
  const dims = shape.map((d, i): Size => {
    if (d !== 0 || allowZero) return d;
    if (!from) return c.unknown();
    return from[i] ?? c.fail('INVALID_SHAPE', `shape [${shape}] copies dim ${i}, which [${from}] does not have`);
  });
  const open = dims.indexOf(-1);
  if (open < 0) {
    if (from && isKnown(from) && isKnown(dims) && product(from) !== product(dims)) {
      c.fail('INVALID_SHAPE', `[${from}] has ${elementCount(from)} elements, [${dims}] has ${elementCount(dims)}`);
    }
    return dims;
  }
  if (dims.indexOf(-1, open + 1) >= 0) c.fail('INVALID_SHAPE', `shape [${shape}] has more than one -1`);
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
  if (typeof count !== 'number' || typeof divisor !== 'number') return quotientOf(count, divisor) ?? c.unknown();
  if (divisor === 0 || count % divisor !== 0)
    c.fail('INVALID_SHAPE', `[${from}] cannot be reshaped to [${others}] and one more dim`);
  return count / divisor;
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
    ...viewOf<{ readonly shape: readonly number[] }>((c) => reshapedDims(c, c.attributes.shape, false)),
  }),
];
