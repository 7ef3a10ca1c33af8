import { tensor } from '../../../../src/builder/index.js';
import type { Case } from './case.js';

const GATES = { RNN: 1, GRU: 3, LSTM: 4 } as const;
const [STEPS, BATCH, INPUT, HIDDEN] = [3, 2, 2, 2];

type Recurrent = keyof typeof GATES;

/** X, W and R, with B and the initial states behind. */
function recurrence(
  op: Recurrent,
  attributes: NonNullable<Case['attributes']> = {},
  lengths?: readonly number[],
): Case {
  const directions = attributes.direction === 'bidirectional' ? 2 : 1;
  const rows = GATES[op] * HIDDEN;
  const layout = attributes.layout === 1;
  const state = layout ? [BATCH, directions, HIDDEN] : [directions, BATCH, HIDDEN];
  const isLstm = op === 'LSTM';
  return {
    op,
    dims: [
      layout ? [BATCH, STEPS, INPUT] : [STEPS, BATCH, INPUT],
      [directions, rows, INPUT],
      [directions, rows, HIDDEN],
    ],
    rest: [
      { variable: [directions, 2 * rows] },
      lengths ? tensor('int32', [BATCH], lengths) : null,
      { variable: state },
      ...(isLstm ? [{ variable: state }, { variable: [directions, 3 * HIDDEN] }] : []),
    ],
    attributes: { hidden_size: HIDDEN, ...attributes },
    outputs: isLstm ? 3 : 2,
  };
}

export const recurrent: readonly Case[] = [
  recurrence('RNN'),
  recurrence(
    'RNN',
    {
      direction: 'bidirectional',
      activations: ['Softsign', 'Affine'],
      activation_alpha: [0.5],
      activation_beta: [0.1],
    },
    [2, 3],
  ),
  recurrence(
    'RNN',
    { direction: 'reverse', layout: 1, activations: ['ScaledTanh'], activation_alpha: [1.2], activation_beta: [0.6] },
    [3, 1],
  ),
  recurrence('GRU'),
  recurrence('GRU', { linear_before_reset: 1, direction: 'reverse' }),
  recurrence('GRU', { linear_before_reset: 1, layout: 1 }, [1, 3]),
  recurrence('LSTM'),
  recurrence('LSTM', { direction: 'bidirectional', input_forget: 1 }, [3, 2]),
  recurrence('LSTM', {
    clip: 0.4,
    layout: 1,
    activations: ['Sigmoid', 'Elu', 'LeakyRelu'],
    activation_alpha: [0.5, 0.3],
  }),
  {
    op: 'LSTM',
    dims: [
      [STEPS, BATCH, INPUT],
      [1, 8, INPUT],
      [1, 8, HIDDEN],
    ],
    attributes: { hidden_size: HIDDEN },
    outputs: 3,
    checked: [1],
    element: 'float32',
  },
];
