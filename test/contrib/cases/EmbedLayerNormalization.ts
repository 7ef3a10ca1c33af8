import { float } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, ints, pick } = draw(53);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const [batch, length, size, words, places] = [int(1, 3), int(1, 5), int(1, 9), int(2, 6), int(5, 7)];
  const isSegmented = chance(0.7);
  const [mask, positions] = [chance(0.5), chance(0.4)];
  const inputs = [
    ints('int32', [batch, length], 0, words - 1),
    isSegmented ? ints('int32', [batch, length], 0, 1) : null,
    floats([words, size]),
    floats([places, size]),
    isSegmented ? floats([2, size]) : null,
    floats([size]),
    floats([size]),
    mask ? ints('int32', [batch, length], 0, 1) : null,
    positions ? ints('int32', [pick([1, batch]), length], 0, places - 1) : null,
  ];
  return {
    label: `${i}: [${batch},${length}] of ${size}${mask ? ', masked' : ''}${positions ? ', at places' : ''}`,
    attributes: { ...(chance(0.5) && { epsilon: float(0.1) }), ...(mask && { mask_index_type: 1 }) },
    inputs: inputs.slice(0, positions ? 9 : mask ? 8 : 7),
    constants: chance(0.6) ? [2, 3, 4, 5, 6] : [],
    outputs: chance(0.5) ? [0, 1, 2] : [0, 1],
  };
});

export const operator: OperatorCases = { op: 'EmbedLayerNormalization', cases };
