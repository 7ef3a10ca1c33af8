import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, pick } = draw(52);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const [batch, channels, length, taps] = [int(1, 2), int(1, 5), int(1, 6), int(1, 4)];
  const activation = pick(['none', 'silu', 'swish', undefined] as const);
  const bias = chance(0.6) ? floats([channels]) : null;
  const past = chance(0.6) ? floats([batch, channels, taps - 1]) : null;
  const inputs = [floats([batch, channels, length]), floats([channels, 1, taps]), bias, past];
  return {
    label: `${i}: [${batch},${channels},${length}] by ${taps}, ${activation}`,
    attributes: { ...(activation && { activation }), ...(chance(0.3) && { ndim: 1 }) },
    inputs: inputs.slice(0, past ? 4 : bias ? 3 : 2),
    constants: chance(0.5) ? [1, 2] : [],
    outputs: [0, 1],
  };
});

export const operator: OperatorCases = { op: 'CausalConvWithState', cases };
