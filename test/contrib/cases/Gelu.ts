import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, pick } = draw(1);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = Array.from({ length: int(0, 4) }, () => int(i === 0 ? 0 : 1, 7));
  return { label: `[${dims}]`, inputs: [floats(dims, pick([0.1, 1, 5]))] };
});

export const operator: OperatorCases = { op: 'Gelu', cases };
