import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(34);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const n = int(1, 6);
  const dims = [...Array.from({ length: i % 3 }, () => int(1, 3)), n, n];
  const x = floats(dims, 0.4, 0, i % 4 === 3 ? 'float64' : 'float32');
  const data = x.data as Float32Array;
  for (let at = 0; at < data.length; at++)
    if (Math.floor((at % (n * n)) / n) === at % n) data[at] = (data[at] ?? 0) + 2.5;
  return { label: `${x.type}[${dims}]`, inputs: [x], constants: i % 7 === 6 ? [0] : [] };
});

export const operator: OperatorCases = { op: 'Inverse', cases };
