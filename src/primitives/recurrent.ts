import { areDecided } from '../graph/guards.js';
import { isKnown } from '../graph/sizes.js';
import type { Inference, Primitive } from '../schema/definition.js';
import { elementCount } from '../tensor/tensor-value.js';
import { recurOnHost } from './recur-on-host.js';
import { activationsOf, type GateActivationName } from './recurrent-activations.js';
import {
  type CellName,
  Input,
  REVERSED,
  type Recurrence,
  type RecurrentAttributes,
  type RecurrentParameters,
  recurrenceOf,
} from './recurrent-shapes.js';

/** Gates of each cell, and the default activations of a direction. */
const CELLS: Readonly<Record<CellName, { gates: number; activations: readonly GateActivationName[] }>> = {
  RNN: { gates: 1, activations: ['Tanh'] },
  GRU: { gates: 3, activations: ['Sigmoid', 'Tanh'] },
  LSTM: { gates: 4, activations: ['Sigmoid', 'Tanh', 'Tanh'] },
};

/** Runs sequences through recurrent cells. Returns all steps, the last state and, for LSTM, the last cell state. */
export const recurrent: Primitive<RecurrentParameters> = {
  name: 'recurrent',
  facts: {
    multiplyAdds: (c, { steps, batch }) =>
      steps * batch * [Input.W, Input.R].reduce((sum, i) => sum + elementCount(c.dims(i) as readonly number[]), 0),
  },
  reference: recurOnHost,
};

type OwnAttributes = RecurrentAttributes & {
  readonly input_forget?: number;
  readonly linear_before_reset?: number;
};

/** Parameters of a node with such cells. */
export const recurrentParameters =
  (cell: CellName) =>
  (c: Inference<OwnAttributes>): RecurrentParameters | undefined => {
    if (!areDecided(c.dims(Input.X)) || ![Input.W, Input.R].every((i) => isKnown(c.dims(i)))) return undefined;
    const { gates, activations } = CELLS[cell];
    const { clip, direction, layout, input_forget = 0, linear_before_reset = 0 } = c.attributes;
    const sizes = recurrenceOf(c, gates);
    return {
      ...(sizes as Recurrence),
      cell,
      activations: activationsOf(c, sizes.directions, activations),
      batchFirst: layout !== 0,
      reversed: REVERSED[direction] as number,
      clip: clip && clip > 0 ? clip : Number.POSITIVE_INFINITY,
      inputForget: input_forget !== 0,
      linearBeforeReset: linear_before_reset !== 0,
    };
  };
