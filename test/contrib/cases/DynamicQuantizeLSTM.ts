import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';
import { type Byte, bytes, scale } from '../quantized.js';

const d = draw(31);

const ACTIVATIONS = ['Sigmoid', 'Tanh', 'Relu', 'HardSigmoid', 'Softsign', 'LeakyRelu'];

const cases = Array.from({ length: 26 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const direction = d.pick(['forward', 'reverse', 'bidirectional'] as const);
  const directions = direction === 'bidirectional' ? 2 : 1;
  const [steps, batch, input, hidden] = [d.int(1, 4), d.int(1, 3), d.int(1, 5), d.int(1, 5)];
  const levels = () => {
    const dims = d.chance(0.5) ? [directions, 4 * hidden] : [directions];
    const zero = type === 'int8' && dims.length === 2 ? 0 : type === 'uint8' ? 127 : 2;
    return [scale(d, 0.008, dims), d.ints(type, dims, zero, zero)];
  };
  const optional = (dims: readonly number[]) => (d.chance(0.4) ? d.floats(dims, 0.5) : null);
  const lengths = Array.from({ length: batch }, (_, n) => (n === 0 ? steps : d.int(1, steps)));
  const inputs = [
    d.floats([steps, batch, input]),
    bytes(d, type, [directions, input, 4 * hidden]),
    bytes(d, type, [directions, hidden, 4 * hidden]),
    optional([directions, 8 * hidden]),
    d.chance(0.3) ? tensor('int32', [batch], lengths) : null,
    optional([directions, batch, hidden]),
    optional([directions, batch, hidden]),
    optional([directions, 3 * hidden]),
    ...levels(),
    ...levels(),
  ];
  const activations = Array.from({ length: 3 * directions }, () => d.pick(ACTIVATIONS));
  return {
    label: `${i}: ${type} ${direction}, ${steps}×${batch}×${input} to ${hidden}`,
    attributes: {
      hidden_size: hidden,
      direction,
      ...(d.chance(0.3) && { activations }),
      ...(d.chance(0.2) && { clip: { type: 'float', value: 0.75 } as const }),
      ...(d.chance(0.2) && { input_forget: 1 }),
    },
    inputs,
    constants: i % 2 ? [1, 2, 3, 8, 9, 10, 11].filter((k) => inputs[k]) : [],
    outputs: [0, 1, 2],
  };
});

export const operator: OperatorCases = { op: 'DynamicQuantizeLSTM', cases };
