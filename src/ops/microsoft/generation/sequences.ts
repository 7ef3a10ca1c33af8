import { integers, type TensorValue } from '../../../tensor/tensor-value.js';

/** Token sequences of equal length, each with room for `limit` tokens. */
export interface Sequences {
  readonly limit: number;
  readonly length: number;
  readonly rows: readonly Int32Array[];
}

/** Repeats each row of `ids` [batch,length] `copies` times. */
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

/** Appends a token to each row, which continues row `sources[i]`, by default row i. */
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
