import { account } from '../../../account.js';
import { tensorType } from '../../../graph/types.js';
import { int, string } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';

/** Splits at `delimiter`, at most `limit` times; the rest stays whole. */
function splitAt(text: string, delimiter: string, limit: number): string[] {
  const parts = text.split(delimiter);
  return parts.length <= limit + 1 ? parts : [...parts.slice(0, limit), parts.slice(limit).join(delimiter)];
}

/** Splits at runs of white space, at most `limit` times; the rest stays whole. */
function splitAtSpace(text: string, limit: number): string[] {
  const words: string[] = [];
  let rest = text.trimStart();
  while (rest !== '' && words.length < limit) {
    const end = rest.search(/\s/u);
    if (end < 0) break;
    words.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? words : [...words, rest];
}

/** Memory per part, in the list of its row and in the list of all rows. */
const BYTES_PER_PART = 16;

/** https://onnx.ai/onnx/operators/onnx__StringSplit.html; rows shorter than the longest are padded with empty strings. */
export const stringSplit = defineOp({
  name: 'StringSplit',
  since: 20,
  signature: 'X: string -> Y: string, Z: int64',
  attributes: { delimiter: string(''), maxsplit: int() },
  infer(c) {
    const dims = c.dims(0);
    return [tensorType('string', dims && [...dims, c.unknown()]), tensorType('int64', dims)];
  },
  evaluate(c) {
    const { delimiter, maxsplit = -1 } = c.attributes;
    const limit = maxsplit < 0 ? Number.POSITIVE_INFINITY : maxsplit;
    const { dims, data } = c.tensor(0);
    const rows = (data as readonly string[]).map((text) => {
      account()?.spend(text.length);
      return delimiter === '' ? splitAtSpace(text, limit) : splitAt(text, delimiter, limit);
    });
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
    account()?.demand(BYTES_PER_PART * rows.length * width, 'the parts of all strings');
    const parts = rows.flatMap((row) => [...row, ...new Array<string>(width - row.length).fill('')]);
    const counts = BigInt64Array.from(rows, (row) => BigInt(row.length));
    return [
      { type: 'string', dims: [...dims, width], data: parts },
      { type: 'int64', dims, data: counts },
    ];
  },
});
