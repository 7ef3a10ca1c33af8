import { tensorType } from '../../graph/types.js';
import { int } from '../../schema/attributes.js';
import { defineOp, type Evaluation } from '../../schema/definition.js';
import { dimsOfRank, requireOne } from '../../schema/shapes.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

const [SOURCE, CURRENT, SUFFIX, PREDICTED] = [0, 1, 2, 3];

interface Sizes {
  readonly min_ngram_size: number;
  readonly max_ngram_size: number;
}

const tokensOf = (c: Evaluation<Sizes>, i: number) => c.tensor(i).data as BigInt64Array;

/** Predicted tokens up to and including the first that differs from the source. */
function accepted(c: Evaluation<Sizes>): BigInt64Array {
  if (!c.given(PREDICTED)) return new BigInt64Array(0);
  const predicted = tokensOf(c, PREDICTED);
  const at = Number(tokensOf(c, SUFFIX)[0]);
  const source = tokensOf(c, SOURCE);
  const rest = source.subarray(Math.max(at, 0));
  if (at < 0 || at > source.length || predicted.length !== rest.length + 1)
    c.fail(
      'INVALID_SHAPE',
      `there are ${predicted.length} predicted tokens for ${source.length} source tokens from index ${at}; one more is needed`,
    );
  const same = rest.findIndex((token, i) => predicted[i] !== token);
  return predicted.subarray(0, (same < 0 ? rest.length : same) + 1);
}

const occurrence = (source: BigInt64Array, gram: BigInt64Array, from: number): number => {
  for (let at = from; at + gram.length <= source.length; at++)
    if (gram.every((token, j) => source[at + j] === token)) return at;
  return -1;
};

/** Index in the source after a unique match of the tokens' last n-gram; −1 if there is none. */
function suffixMatch(source: BigInt64Array, tokens: BigInt64Array, { min_ngram_size, max_ngram_size }: Sizes): number {
  let match = -1;
  for (let n = min_ngram_size; n <= Math.min(max_ngram_size, tokens.length); n++) {
    const gram = tokens.subarray(tokens.length - n);
    const at = occurrence(source, gram, 0);
    if (at < 0) return match;
    match = at + n;
    if (match >= source.length) return match;
    if (occurrence(source, gram, at + 1) >= 0) match = -1;
  }
  return match;
}

const int64 = (dims: readonly number[], data: BigInt64Array): TensorValue => ({ type: 'int64', dims, data });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.BifurcationDetector */
export const bifurcationDetector = defineOp({
  domain: 'com.microsoft',
  name: 'BifurcationDetector',
  signature:
    'src_tokens: T, cur_tokens: T, prev_suffix_match_idx: T, pred_tokens?: T -> tokens: T, suffix_match_idx: T',
  types: { T: ['int64'] },
  attributes: { min_ngram_size: int.required, max_ngram_size: int.required },
  infer(c) {
    const { min_ngram_size: least, max_ngram_size: most } = c.attributes;
    if (least < 1 || most < least)
      c.fail('INVALID_ATTRIBUTE', `sizes of n-grams must be positive and in order, not ${least} to ${most}`);
    dimsOfRank(c, SOURCE, 1);
    requireOne(c, SUFFIX);
    const current = dimsOfRank(c, CURRENT, 1);
    if (c.given(PREDICTED)) dimsOfRank(c, PREDICTED, 1);
    return [tensorType('int64', c.given(PREDICTED) ? [c.unknown()] : current), c.type(SUFFIX)];
  },
  evaluate(c) {
    const tokens = BigInt64Array.of(...tokensOf(c, CURRENT), ...accepted(c));
    const match = suffixMatch(tokensOf(c, SOURCE), tokens, c.attributes);
    return [int64([tokens.length], tokens), int64(c.tensor(SUFFIX).dims, BigInt64Array.of(BigInt(match)))];
  },
});
