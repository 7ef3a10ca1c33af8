import { integers, type TensorValue } from '../../../tensor/tensor-value.js';

/** Sequences of tokens that grow together, with room for `limit` tokens each. */
export interface Sequences {
  readonly limit: number;
  readonly length: number;
  readonly rows: readonly Int32Array[];
}

/** Each row of `ids` [batch,length] `copies` times. */
export function startSequences(ids: TensorValue, copies: number, limit: number): Sequences {
  const [batch = 0, length = 0] = ids.dims;
  const tokens = integers(ids);
  const rows = Array.from({ length: batch * copies }, (_, i) => {
    const b = Math.floor(i / copies);
    const row = new Int32Array(limit);
    row.set(tokens.slice(b * length, (b + 1) * length));
    return row;
  });
  return { limit, length, rows };
}

export const sequenceOf = ({ rows, length }: Sequences, row: number): Int32Array =>
  (rows[row] as Int32Array).subarray(0, length);

/** A token more in each row, the rest of which is that of row `sources[i]`; its own, if left out. */
export function appended(
  { rows, length, limit }: Sequences,
  tokens: readonly number[],
  sources?: readonly number[],
): Sequences {
  const grown = tokens.map((token, i) => {
    const row = (rows[sources?.[i] ?? i] as Int32Array).slice();
    row[length] = token;
    return row;
  });
  return { rows: grown, length: length + 1, limit };
}

/** All tokens of all rows so far, [rows,length]. */
export const tokensOf = ({ rows, length }: Sequences): TensorValue => ({
  type: 'int32',
  dims: [rows.length, length],
  data: Int32Array.from(rows.flatMap((row) => Array.from(row.subarray(0, length)))),
});
