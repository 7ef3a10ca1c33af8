import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels } from '../quantized.js';

const d = draw(131);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const dims = i === 0 ? [0, 3] : Array.from({ length: d.int(0, 3) }, () => d.int(1, 9));
  const inputs = [bytes(d, type, dims), ...levels(d, type), ...levels(d, type, { largest: 0.25 })];
  const attributes = d.chance(0.7)
    ? { alpha: { type: 'float', value: d.pick([0.25, 0.013, 0, 1.5, -0.5]) } as const }
    : {};
  return { label: `${i}: ${type} [${dims}]`, attributes, inputs, constants: i % 2 ? allBut(inputs, 0) : [] };
});

export const operator: OperatorCases = { op: 'QLinearLeakyRelu', tolerance: EQUAL, cases };
