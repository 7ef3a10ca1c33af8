import { account } from '../../account.js';
import { differ } from '../../graph/guards.js';
import { tensorType } from '../../graph/types.js';
import { int } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';

const [WORDS, WEIGHTS, BIAS, CHARACTERS] = [0, 1, 2, 3];

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.WordConvEmbedding: the maximum of
 * tanh(convolution) over a word's characters.
 */
export const wordConvEmbedding = defineOp({
  domain: 'com.microsoft',
  name: 'WordConvEmbedding',
  signature: 'Sequence: T, W: T1, B: T1, C: T1 -> Y: T1',
  types: { T: ['int32'], T1: ['float32'] },
  attributes: { embedding_size: int(), conv_window_size: int(), char_embedding_size: int() },
  infer(c) {
    const [words, w, characters] = [dimsOfRank(c, WORDS, 2), dimsOfRank(c, WEIGHTS, 4), dimsOfRank(c, CHARACTERS, 2)];
    requireDims(c, BIAS, [w?.[0]]);
    const { embedding_size, conv_window_size, char_embedding_size } = c.attributes;
    if (
      differ(w?.[0], embedding_size) ||
      differ(w?.[2], conv_window_size) ||
      differ(characters?.[1], char_embedding_size)
    )
      c.fail(
        'INVALID_ATTRIBUTE',
        `the sizes ${embedding_size}, ${conv_window_size} and ${char_embedding_size} must match W [${w}] and C [${characters}]`,
      );
    if (differ(w?.[3], characters?.[1]))
      c.fail('INVALID_SHAPE', `W [${w}] must convolve characters of C [${characters}]`);
    if (typeof words?.[1] === 'number' && typeof w?.[2] === 'number' && words[1] < w[2])
      c.fail('INVALID_SHAPE', `words of ${words[1]} characters must be as long as the window of ${w[2]}`);
    return [tensorType('float32', words && w && [words[0] as number, w[0] as number])];
  },
  evaluate(c) {
    const [words, weights, bias, table] = [WORDS, WEIGHTS, BIAS, CHARACTERS].map((i) =>
      numbersOf(c.tensor(i)),
    ) as ArrayLike<number>[] as [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>, ArrayLike<number>];
    const [count, length] = c.tensor(WORDS).dims as [number, number];
    const [filters, , window, size] = c.tensor(WEIGHTS).dims as [number, number, number, number];
    const known = c.tensor(CHARACTERS).dims[0] as number;
    const y = new Float64Array(count * filters);
    for (let word = 0; word < count; word++) {
      const letters = Array.from({ length }, (_, i) => words[word * length + i] as number);
      // A word that begins with 0 is empty.
      if ((letters[0] ?? 0) <= 0) continue;
      const used = Math.max(letters.filter((letter) => letter > 0).length, window);
      for (const letter of letters.slice(0, used))
        if (letter < 0 || letter >= known)
          c.fail('INVALID_VALUE', `character ${letter} is outside the vocabulary of ${known}`);
      account()?.spend(filters * used * window * size);
      for (let filter = 0; filter < filters; filter++) {
        let largest = Number.NEGATIVE_INFINITY;
        for (let at = 0; at + window <= used; at++) {
          let sum = bias[filter] as number;
          for (let i = 0; i < window * size; i++) {
            const letter = letters[at + Math.floor(i / size)] as number;
            sum += (weights[filter * window * size + i] as number) * (table[letter * size + (i % size)] as number);
          }
          largest = Math.max(largest, sum);
        }
        y[word * filters + filter] = Math.tanh(largest);
      }
    }
    return [tensorOf('float32', [count, filters], y)];
  },
});
