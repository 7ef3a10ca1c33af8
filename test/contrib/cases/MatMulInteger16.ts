import { type Case, draw, type OperatorCases } from '../case.js';

const { ints, int, pick } = draw(15);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const batch = Array.from({ length: i % 3 }, () => int(1, 3));
  const [m, k, n] = [int(1, 7), int(1, 9), int(1, 10)];
  const most = pick([100, 32767]);
  return {
    label: `${[...batch, m, k, n]}`,
    inputs: [ints('int16', [...batch, m, k], -most, most), ints('int16', [...(i % 4 ? batch : []), k, n], -100, 100)],
    constants: i % 3 === 0 ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'MatMulInteger16', tolerance: { relative: 0, absolute: 0 }, cases };
