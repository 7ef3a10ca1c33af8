import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int } = draw(33);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const dims = [...(i % 3 === 2 ? [1] : []), int(1, 7), int(1, 8)];
  return {
    label: `[${dims}]`,
    inputs: [i % 2 ? floats(dims) : ints('float32', dims, 0, 3)],
    constants: i % 7 === 6 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'DynamicTimeWarping', tolerance: { relative: 0, absolute: 0 }, cases };
