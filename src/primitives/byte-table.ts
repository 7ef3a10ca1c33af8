import { differ } from '../graph/guards.js';
import { product } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { rangeOf } from '../tensor/element-types.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';

/** The number of values of a byte. */
const BYTES = 256;

/** `least`: the byte that the first element of the table belongs to. */
export interface ByteTableParameters {
  readonly least: number;
}

/** Looks up each byte in a table of 256 elements. */
export const byteTable: Primitive<ByteTableParameters> = {
  name: 'byte table',
  facts: { isElementwise: true, inPlace: true },
  reference(c, { least }) {
    const [x, table] = [c.tensor(0), numbersOf(c.tensor(1))];
    const results = Float64Array.from(numbersOf(x), (byte) => table[byte - least] as number);
    return [tensorOf(c.result(0).element, x.dims, results)];
  },
};

const NARROW = ['int8', 'uint8'] as const;

export const byteTableOperator = defineOp({
  domain: 'sardonyx',
  name: 'ByteTable',
  signature: 'X: T1, table: T2 -> Y: T2',
  types: { T1: NARROW, T2: NARROW },
  guarded: true,
  infer(c) {
    const dims = c.dims(1);
    if (dims && differ(product(dims), BYTES))
      c.fail('INVALID_SHAPE', `the table [${dims}] must have ${BYTES} elements`);
    return [tensorType(c.element(1), c.dims(0))];
  },
  computes: by(byteTable, (c: Inference<unknown>) => ({ least: rangeOf(c.element(0))[0] })),
});
