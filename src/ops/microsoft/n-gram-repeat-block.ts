import { differ } from '../../graph/guards.js';
import { int } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { dimsOfRank } from '../../schema/shapes.js';

/** Tokens that would repeat an n-gram of the sequence. */
function repeating(sequence: BigInt64Array, size: number): number[] {
  const tail = sequence.subarray(sequence.length - size + 1);
  const starts = Array.from({ length: Math.max(0, sequence.length - size + 1) }, (_, i) => i);
  return starts
    .filter((start) => tail.every((token, j) => sequence[start + j] === token))
    .map((start) => Number(sequence[start + size - 1]));
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.NGramRepeatBlock */
export const nGramRepeatBlock = defineOp({
  domain: 'com.microsoft',
  name: 'NGramRepeatBlock',
  signature: 'input_ids: Tid, scores: T -> scores_out: T',
  types: { Tid: ['int64'], T: ['float32'] },
  attributes: { ngram_size: int.required },
  infer(c) {
    const [ids, scores] = [dimsOfRank(c, 0, 2), dimsOfRank(c, 1, 2)];
    if (differ(ids?.[0], scores?.[0]))
      c.fail('INVALID_SHAPE', `input_ids [${ids}] and scores [${scores}] must have the same number of sequences`);
    if (c.attributes.ngram_size < 1) c.fail('INVALID_ATTRIBUTE', 'ngram_size must be at least 1');
    return [c.type(1)];
  },
  evaluate(c) {
    const [ids, scores] = [c.tensor(0), c.tensor(1)];
    const [batch, length] = ids.dims as [number, number];
    const words = scores.dims[1] as number;
    const data = Float32Array.from(scores.data as Float32Array);
    for (let b = 0; b < batch; b++) {
      const sequence = (ids.data as BigInt64Array).subarray(b * length, (b + 1) * length);
      for (const token of repeating(sequence, c.attributes.ngram_size)) {
        if (token < 0 || token >= words)
          c.fail('INVALID_VALUE', `token ${token} is outside the vocabulary of ${words}`);
        data[b * words + token] = Number.NEGATIVE_INFINITY;
      }
    }
    return [{ type: 'float32', dims: scores.dims, data }];
  },
});
