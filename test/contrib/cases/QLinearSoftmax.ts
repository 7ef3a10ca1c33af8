import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels } from '../quantized.js';

const d = draw(20);

const cases = Array.from({ length: 28 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const dims = Array.from({ length: d.int(1, 4) }, () => d.int(2, 6));
  const opset = d.pick([11, 12, 13, 18]);
  const axis = d.int(-dims.length, dims.length - 1);
  const inputs = [
    bytes(d, type, dims),
    ...levels(d, type),
    tensor('float32', [], [d.pick([1 / 256, 1 / 255, 1 / 100, 0.0137])]),
    tensor(type, [], [type === 'uint8' ? d.pick([0, 3]) : -128]),
  ];
  return {
    label: `${i}: ${type} [${dims}] along ${axis}, opset ${opset}`,
    attributes: { opset, ...((dims.length === 1 || d.chance(0.8)) && { axis }) },
    inputs,
    constants: i % 2 ? allBut(inputs, 0) : [],
  };
});

export const operator: OperatorCases = { op: 'QLinearSoftmax', tolerance: EQUAL, cases };
