import { type Case, draw, type OperatorCases } from '../case.js';
import { type Byte, bytes, scale, zero } from '../quantized.js';

const d = draw(23);

const cases = Array.from({ length: 32 }, (_, i): Case => {
  const [a, b] = d.pick<readonly [Byte, Byte]>([
    ['uint8', 'uint8'],
    ['uint8', 'int8'],
    ['int8', 'int8'],
  ]);
  const [m, k, n] = [i === 0 ? 0 : d.int(1, 5), d.int(1, 40), d.int(1, 9)];
  const batch = d.pick([[], [], [2], [3, 2]]);
  const own = d.chance(0.3) ? batch : [];
  const columns = own.length === 0 && d.chance(0.5) ? [n] : [];
  const inputs = [
    bytes(d, a, [...batch, m, k]),
    bytes(d, b, [...own, k, n]),
    scale(d),
    scale(d, 0.125, columns),
    d.chance(0.7) ? zero(d, a) : null,
    d.chance(0.6) ? zero(d, b, columns) : null,
    d.chance(0.5) ? d.floats([n]) : null,
  ];
  return {
    label: `${i}: ${a} [${inputs[0]?.dims}] by ${b} [${inputs[1]?.dims}]`,
    inputs,
    constants: [[], [1], [1, 2, 3, 4, 5, 6]][i % 3] as number[],
  };
});

export const operator: OperatorCases = { op: 'MatMulIntegerToFloat', cases };
