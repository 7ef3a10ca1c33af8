import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(10);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = Array.from({ length: i % 5 }, () => int(i === 1 ? 0 : 1, 4));
  return { label: `[${dims}]`, inputs: [floats(dims)], constants: i % 4 === 3 ? [0] : [] };
});

export const operator: OperatorCases = { op: 'SampleOp', tolerance: { relative: 0, absolute: 0 }, cases };
