import { type Case, draw, type OperatorCases } from '../case.js';

const { ints, int } = draw(7);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const length = i === 0 ? 0 : int(1, 20);
  const x = ints('float32', [length], -4, 4);
  return {
    label: `[${length}]`,
    inputs: [x],
    outputs: [0, 1, 2],
    constants: i % 5 === 4 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'Unique', tolerance: { relative: 0, absolute: 0 }, cases };
