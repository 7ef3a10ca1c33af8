import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, type Maker, type Makers } from './maker.js';

const GATES = { RNN: 1, GRU: 3, LSTM: 4 } as const;

/** [time, batch, size] with random weights, whose results are smoothed into [time, batch, hidden]. */
const recurrent: Maker = (g, x) => {
  const size = x.dims[2];
  const [, batch] = x.dims;
  if (x.dims.length !== 3 || !isFixed(size) || size === 0 || x.type !== 'float32' || x.dims[0] === 0) throw new Unfit();
  const { chance, pick } = g.choices;
  const op = pick(['RNN', 'GRU', 'LSTM'] as const);
  const direction = pick(['forward', 'reverse', 'bidirectional']);
  const [d, h] = [direction === 'bidirectional' ? 2 : 1, pick([1, 3, 4, 8])];
  const rows = GATES[op] * h;
  const inputs: (KnownTensor | null)[] = [x, g.floats([d, rows, size]), g.floats([d, rows, h])];
  inputs.push(chance(0.6) ? g.floats([d, 2 * rows]) : null);
  if (isFixed(batch) && chance(0.4)) inputs.push(null, g.floats([d, batch, h]));
  const reset = op === 'GRU' && chance(0.5) ? { linear_before_reset: 1 } : {};
  const outputs = g.node(op, inputs, { hidden_size: h, direction, ...reset }, { outputs: op === 'LSTM' ? 3 : 2 });
  if (chance(0.7)) merge(g, outputs[0] as KnownTensor, d);
};

/** [time, directions, batch, hidden], directions side by side. */
function merge(g: Draft, y: KnownTensor, directions: number): void {
  if (directions === 1) return void g.op('Squeeze', [y, g.integers([1])]);
  const swapped = g.op('Transpose', [y], { perm: [0, 2, 1, 3] });
  g.op('Reshape', [swapped, g.integers([0, 0, -1])]);
}

export const RECURRENT: Makers = [[1.5, recurrent]];
