import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, chance } = draw(70);

const lengths = (batch: number, most: number) =>
  tensor(
    'int32',
    [batch],
    Array.from({ length: batch }, (_, n) => (n === 0 ? most : int(1, most))),
  );

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const direction = ['forward', 'reverse', 'bidirectional'][i % 3] ?? 'forward';
  const directions = direction === 'bidirectional' ? 2 : 1;
  const [steps, batch, input, hidden] = [int(1, 3), int(1, 2), int(1, 3), int(1, 3)];
  const [memory, depth, attention, layer] = [int(1, 4), int(1, 3), int(1, 3), int(1, 3)];
  const hasLayer = chance(0.5);
  const given = <T>(value: T) => (chance(0.5) ? value : null);
  const state = hasLayer ? layer : depth;
  return {
    label: `${direction} ${[steps, batch, input, hidden]} ${[memory, depth, attention]}${hasLayer ? ` ${layer}` : ''}`,
    inputs: [
      floats([steps, batch, input]),
      floats([directions, 4 * hidden, input + state], 0.6),
      floats([directions, 4 * hidden, hidden], 0.6),
      given(floats([directions, 8 * hidden])),
      given(lengths(batch, steps)),
      given(floats([directions, batch, hidden])),
      given(floats([directions, batch, hidden])),
      given(floats([directions, 3 * hidden])),
      floats([directions, hidden, attention]),
      floats([directions, depth, attention]),
      floats([directions, attention]),
      floats([batch, memory, depth]),
      given(lengths(batch, memory)),
      ...(hasLayer ? [floats([directions, depth + hidden, layer])] : []),
    ],
    attributes: {
      direction,
      hidden_size: hidden,
      ...(i % 4 === 3 && { input_forget: 1 }),
      ...(i % 5 === 4 && { clip: { type: 'float', value: 0.5 } as const }),
      ...(i % 6 === 5 && {
        activations: Array.from({ length: directions }, () => ['HardSigmoid', 'Tanh', 'Softsign']).flat(),
      }),
    },
    outputs: [0, 1, 2],
    constants: i % 2 ? [1, 2, 8, 9, 10] : [],
  };
});

export const operator: OperatorCases = { op: 'AttnLSTM', cases };
