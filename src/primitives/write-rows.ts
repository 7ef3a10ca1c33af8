import { areDecided } from '../graph/guards.js';
import type { Size } from '../graph/sizes.js';
import { int } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { INDICES, NUMBERS } from '../schema/element-sets.js';
import { dimsOfRank, requireDims, sameAsInput } from '../schema/shapes.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';

/** Input positions. */
export const [STARTS, ROWS] = [1, 2];

export interface WriteRowsParameters {
  readonly batch: number;
  readonly heads: number;
  /** Rows of a head, and the number of new rows. */
  readonly length: number;
  readonly fresh: number;
  readonly columns: number;
  /** Added to the start of each batch. */
  readonly offset: number;
}

/** The same where sizes may be open. */
export type OpenWriteRows = { readonly [F in keyof WriteRowsParameters]: Size } & Pick<WriteRowsParameters, 'offset'>;

type Range = Pick<WriteRowsParameters, 'length' | 'fresh' | 'offset'>;

const isInside = ({ length, fresh, offset }: Range, start: number) =>
  start + offset >= 0 && start + offset + fresh <= length;

/** Returns the error message for the first start that is out of range. */
export const outsideRows =
  (p: Range) =>
  (starts: TensorValue): string => {
    const start = integers(starts).find((value) => !isInside(p, value)) as number;
    return `${p.fresh} rows from ${start + p.offset} on are outside a cache of ${p.length} rows`;
  };

/** Operand 0, [batch, heads, length, columns], with its rows from each batch's start on replaced by those of operand 2. */
export const writeRows: Primitive<WriteRowsParameters> = {
  name: 'write-rows',
  facts: { moves: () => true },
  reference(c, p) {
    const [x, starts, rows] = [c.tensor(0), integers(c.tensor(STARTS)), c.tensor(ROWS)];
    const data = (x.data as Float32Array).slice();
    for (let matrix = 0; matrix < p.batch * p.heads; matrix++) {
      const start = starts[Math.floor(matrix / p.heads)] as number;
      if (!isInside(p, start)) c.fail('INVALID_VALUE', outsideRows(p)(c.tensor(STARTS)));
      const own = (rows.data as Float32Array).subarray(...[matrix, matrix + 1].map((i) => i * p.fresh * p.columns));
      data.set(own, (matrix * p.length + start + p.offset) * p.columns);
    }
    return [{ ...x, data } as TensorValue];
  },
};

interface Attributes {
  readonly offset: number;
}

function parametersOf(c: Inference<Attributes>): WriteRowsParameters | undefined {
  const [dims, rows] = [c.dims(0), c.dims(ROWS)];
  if (!areDecided(dims) || !areDecided(rows)) return undefined;
  const [batch, heads, length, columns] = dims as readonly [Size, Size, Size, Size];
  const open: OpenWriteRows = { batch, heads, length, fresh: rows[2] as Size, columns, offset: c.attributes.offset };
  return open as WriteRowsParameters;
}

/** Writes new rows into a KV cache where each sequence ends: from starts [batch] + offset on. */
export const writeRowsOperator = defineOp({
  domain: 'sardonyx',
  name: 'WriteRows',
  signature: 'X: T, starts: I, rows: T -> Y: T',
  types: { T: NUMBERS, I: INDICES },
  attributes: { offset: int(0) },
  guarded: true,
  infer(c) {
    const [batch, heads, , columns] = dimsOfRank(c, 0, 4) ?? [];
    requireDims(c, ROWS, [batch, heads, dimsOfRank(c, ROWS, 4)?.[2], columns]);
    requireDims(c, STARTS, [batch]);
    return sameAsInput(c);
  },
  computes: by(writeRows, parametersOf),
});
