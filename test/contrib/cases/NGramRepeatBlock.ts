import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int } = draw(31);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const [batch, length, words] = [int(1, 3), int(1, 12), int(3, 6)];
  return {
    label: `${[batch, length, words]}`,
    inputs: [ints('int64', [batch, length], 0, 2), floats([batch, words])],
    attributes: { ngram_size: int(1, 4) },
    constants: i % 5 === 4 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'NGramRepeatBlock', tolerance: { relative: 0, absolute: 0 }, cases };
