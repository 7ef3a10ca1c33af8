import { type Case, draw, type OperatorCases } from '../case.js';
import { type Byte, bytes, EQUAL, scale, zero } from '../quantized.js';

const d = draw(25);

const cases = Array.from({ length: 36 }, (_, i): Case => {
  const [a, b] = d.pick<readonly [Byte, Byte]>([
    ['uint8', 'uint8'],
    ['uint8', 'int8'],
    ['int8', 'int8'],
  ]);
  const [m, k, n] = [i === 0 ? 0 : d.int(1, 6), d.int(1, 40), d.int(1, 9)];
  const [transA, transB] = [d.int(0, 1), d.int(0, 1)];
  const columns = d.chance(0.5) ? [n] : [];
  const addend = d.pick([null, [n], [1, n], [m, 1], [m, n], []]);
  const isQuantised = d.chance(0.7);
  const inputs = [
    bytes(d, a, transA ? [k, m] : [m, k]),
    scale(d),
    zero(d, a),
    bytes(d, b, transB ? [n, k] : [k, n]),
    scale(d, 0.125, columns),
    zero(d, b, columns),
    addend && d.ints('int32', addend, -20000, 20000),
    isQuantised ? scale(d, 8) : null,
    isQuantised ? zero(d, a) : null,
  ];
  return {
    label: `${i}: ${a} by ${b}, ${m}×${k}×${n}`,
    attributes: {
      transA,
      transB,
      ...(d.chance(0.5) && { alpha: { type: 'float', value: d.pick([0.5, 2, 1.7]) } as const }),
    },
    inputs,
    constants: [[], [3], [1, 2, 3, 4, 5, 6, 7, 8]][i % 3] as number[],
  };
});

export const operator: OperatorCases = { op: 'QGemm', tolerance: EQUAL, cases };
