import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels } from '../quantized.js';

const d = draw(14);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const dims = i === 0 ? [0, 3] : Array.from({ length: d.int(0, 3) }, () => d.int(1, 9));
  const inputs = [bytes(d, type, dims), ...levels(d, type), ...levels(d, type, { largest: 0.0078125 })];

  return { label: `${i}: ${type} [${dims}]`, inputs, constants: i % 2 ? allBut(inputs, 0) : [] };
});

export const operator: OperatorCases = { op: 'QLinearSigmoid', tolerance: EQUAL, cases };
