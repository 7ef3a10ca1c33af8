import type { Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { numbersOf } from '../tensor/numbers.js';
import { narrowedRows, SCALE_BYTES } from '../tensor/scaled-rows.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** Quantizes rows to 8-bit integers, each row followed by its scale. The parameter is the size of a row. */
export const narrowRows: Primitive<number> = {
  name: 'narrow-rows',
  facts: {},
  reference(c, size) {
    const { dims } = c.result(0);
    return [{ type: 'int8', dims, data: narrowedRows(numbersOf(c.tensor(0)), size) } as TensorValue];
  },
};

const withScale = (size: Size | undefined): Size | undefined =>
  typeof size === 'number' ? size + SCALE_BYTES : undefined;

function narrowDims(c: Inference<unknown>): Size[] | undefined {
  const dims = c.dims(0);
  const columns = withScale(dims?.at(-1));
  return dims && columns !== undefined ? dims.with(-1, columns) : undefined;
}

/** The rows of X with four more columns, which hold a float32 scale. */
export const narrowRowsOperator = defineOp({
  domain: 'sardonyx',
  name: 'NarrowRows',
  signature: 'X: T -> Y: int8',
  types: { T: ['float32', 'float64'] },
  guarded: true,
  infer: (c) => [tensorType('int8', narrowDims(c))],
  computes: by(narrowRows, (c: Inference<unknown>) => {
    const size = c.dims(0)?.at(-1);
    return typeof size === 'number' ? size : undefined;
  }),
});
