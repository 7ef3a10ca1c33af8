import { differ } from '../graph/guards.js';
import { formatSizes, type Size } from '../graph/sizes.js';
import { tensorType, type ValueType } from '../graph/types.js';
import { float, floats, int, string, strings } from '../schema/attributes.js';
import type { Inference } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import type { ActivationAttributes, GateActivation } from './recurrent-activations.js';

export interface RecurrentAttributes extends ActivationAttributes {
  readonly direction: string;
  readonly clip: number | undefined;
  readonly hidden_size: number | undefined;
  readonly layout: number;
}

export const recurrentAttributes = {
  activations: strings(),
  activation_alpha: floats(),
  activation_beta: floats(),
  clip: float(),
  direction: string('forward'),
  hidden_size: int(),
  layout: int(0),
  output_sequence: int(0),
};

/** Positions of the inputs that all three operators have. */
export const Input = { X: 0, W: 1, R: 2, B: 3, lengths: 4, initialH: 5, initialC: 6, peepholes: 7 } as const;

/** Bit d: direction d runs in reverse. */
export const REVERSED: Readonly<Record<string, number>> = { forward: 0, reverse: 1, bidirectional: 2 };

export const directionsOf = (c: Inference<RecurrentAttributes>): number =>
  c.attributes.direction === 'bidirectional' ? 2 : 1;

/** Y, Y_h and, for an LSTM, Y_c. */
export function inferRecurrent(c: Inference<RecurrentAttributes>): ValueType[] {
  if (!(c.attributes.direction in REVERSED)) {
    c.fail('INVALID_ATTRIBUTE', `direction "${c.attributes.direction}" is none of ${Object.keys(REVERSED).join(', ')}`);
  }
  const x = c.dims(Input.X);
  const hidden = c.dims(Input.R)?.[2] ?? c.attributes.hidden_size;
  const element = c.element(Input.X);
  if (!x || hidden === undefined) return [0, 1, 2].map(() => tensorType(element));
  const directions = directionsOf(c);
  const batchFirst = c.attributes.layout !== 0;
  const [steps, batch] = (batchFirst ? [x[1], x[0]] : [x[0], x[1]]) as [Size, Size];
  const y = batchFirst ? [batch, steps, directions, hidden] : [steps, directions, batch, hidden];
  const state = tensorType(element, batchFirst ? [batch, directions, hidden] : [directions, batch, hidden]);
  return [tensorType(element, y), state, state];
}

/** Sizes of a recurrent node. */
export interface Recurrence {
  readonly steps: number;
  readonly batch: number;
  readonly hidden: number;
  readonly directions: number;
  readonly gates: number;
  readonly input: number;
}

export type CellName = 'RNN' | 'GRU' | 'LSTM';

/** The same where the length and the batch may be open. */
export type OpenRecurrence = Omit<Recurrence, 'steps' | 'batch'> & { readonly steps: Size; readonly batch: Size };

/** A recurrent layer whose sizes are numbers. */
export interface RecurrentParameters extends Recurrence {
  readonly cell: CellName;
  /** Activations of each direction. */
  readonly activations: readonly (readonly GateActivation[])[];
  /** Whether X is [batch, steps, input] instead of [steps, batch, input]; likewise states. */
  readonly batchFirst: boolean;
  /** Bit d: direction d runs in reverse. */
  readonly reversed: number;
  /** Inputs of activations are clipped to −clip…clip. */
  readonly clip: number;
  /** For LSTM: the forget gate is 1 minus the input gate. */
  readonly inputForget: boolean;
  /** For GRU: h is multiplied by the weights before the reset gate applies. */
  readonly linearBeforeReset: boolean;
}

/** A recurrent layer whose length and batch may be open. */
export type OpenRecurrent = Omit<RecurrentParameters, 'steps' | 'batch'> & OpenRecurrence;

export function recurrenceOf(c: Inference<RecurrentAttributes>, gates: number): OpenRecurrence {
  const shape = (i: number) => c.dims(i) as readonly number[];
  const [first, second, features] = c.dims(Input.X) as [Size, Size, Size];
  const [, , input] = shape(Input.W) as [number, number, number];
  const [steps, batch] = c.attributes.layout ? [second, first] : [first, second];
  const [directions, rows, hidden] = shape(Input.R) as [number, number, number];
  if (directions !== directionsOf(c) || rows !== gates * hidden) {
    c.fail('INVALID_SHAPE', `R [${shape(Input.R)}] must be [${directionsOf(c)}, ${gates} · hidden, hidden]`);
  }
  const w = [directions, rows, features];
  if (shape(Input.W).length !== 3 || shape(Input.W).some((size, axis) => differ(size, w[axis])))
    c.fail('INVALID_SHAPE', `W [${shape(Input.W)}] must be [${formatSizes(w)}]`);
  const state = c.attributes.layout ? [batch, directions, hidden] : [directions, batch, hidden];
  requireDims(c, Input.B, [directions, 2 * rows]);
  requireDims(c, Input.lengths, [batch]);
  for (const i of [Input.initialH, Input.initialC]) requireDims(c, i, state);
  requireDims(c, Input.peepholes, [directions, 3 * hidden]);
  return { steps, batch, hidden, directions, gates, input };
}
