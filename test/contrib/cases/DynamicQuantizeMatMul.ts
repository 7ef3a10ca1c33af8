import { type Case, draw, type OperatorCases } from '../case.js';
import { type Byte, bytes, scale, zero } from '../quantized.js';

const d = draw(24);

const cases = Array.from({ length: 28 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const [m, k, n] = [d.int(1, 5), d.int(1, 40), d.int(1, 9)];
  const batch = d.pick([[], [], [2], [3, 2]]);
  const columns = d.chance(0.5) ? [n] : [];
  const inputs = [
    d.floats([...batch, m, k], d.pick([0.1, 1, 10]), d.pick([0, 0, 3, -3])),
    bytes(d, type, [k, n]),
    scale(d, 0.125, columns),
    d.chance(0.6) ? zero(d, type, columns) : null,
    d.chance(0.5) ? d.floats([n]) : null,
  ];
  return {
    label: `${i}: [${inputs[0]?.dims}] by ${type} [${k},${n}]`,
    inputs,
    constants: [[], [1], [1, 2, 3, 4]][i % 3] as number[],
  };
});

export const operator: OperatorCases = { op: 'DynamicQuantizeMatMul', cases };
