import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels } from '../quantized.js';

const d = draw(17);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const dims = [d.int(1, 2), d.int(1, 9), ...Array.from({ length: d.int(1, 3) }, () => d.int(1, 5))];
  const last = d.int(0, 1);
  const given = { optional: false };
  const inputs = [bytes(d, type, dims), ...levels(d, type, given), ...levels(d, type, { ...given, largest: 0.0625 })];
  return {
    label: `${i}: ${type} [${dims}], channels ${last ? 'last' : 'first'}`,
    attributes: { channels_last: last },
    inputs,
    constants: i % 2 ? allBut(inputs, 0) : [],
  };
});

export const operator: OperatorCases = { op: 'QLinearGlobalAveragePool', tolerance: EQUAL, cases };
