import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, ints, pick } = draw(21);

/** Products in halves are rounded once here and twice there: 2^-10 of a number near the sum. */
const HALVES = { relative: 2e-3, absolute: 2e-3 };

const cases = Array.from({ length: 36 }, (_, i): Case => {
  const [batch, length, heads] = [int(1, 3), int(1, 5), int(1, 3)];
  const isPartial = chance(0.4);
  const size = isPartial ? pick([8, 12, 16]) : pick([2, 4, 6, 8]);
  const rotary = isPartial ? pick([2, 4, 8]) : size;
  const isFlat = chance(0.6);
  const type = chance(0.2) ? 'float16' : 'float32';
  const rows = length + 6;
  const positions = chance(0.5) ? ints('int64', [batch, length], 0, rows - 1) : ints('int64', [1], 0, rows - length);
  const dims = isFlat ? [batch, length, heads * size] : [batch, heads, length, size];
  const interleaved = int(0, 1);
  const named = isPartial || chance(0.5);
  return {
    label: `${i}: ${type} [${dims}], ${rotary} of ${size}${interleaved ? ', interleaved' : ''}, at [${positions.dims}]`,
    attributes: {
      interleaved,
      ...(named && { num_heads: heads }),
      ...(isPartial && { rotary_embedding_dim: rotary }),
      ...(chance(0.2) && { is_packed_batching: 1 }),
    },
    inputs: [floats(dims, 1, 0, type), positions, ...[1, 2].map(() => floats([rows, rotary / 2], 1, 0, type))],
    constants: chance(0.5) ? [2, 3] : [],
    ...(type === 'float16' && { tolerance: HALVES }),
  };
});

export const operator: OperatorCases = { op: 'RotaryEmbedding', cases };
