import { RecurrentActivation } from '../../../../build/kernels.js';
import type { GateActivation } from '../../../primitives/recurrent-activations.js';
import { Input, type RecurrentAttributes, recurrenceOf } from '../../../primitives/recurrent-shapes.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { lowerRecurrence, optionalInput, optionalOutput, writtenOutputs } from './recurrence.js';

function rnn(c: Lowering<RecurrentAttributes>): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  lowerRecurrence(c, recurrenceOf(c, 1), ['Tanh'], 0, (fields, _run, tiles) => {
    c.launch('rnn', fields, tiles, { writes: writtenOutputs(c) });
  });
}

function lstm(c: Lowering<RecurrentAttributes & { readonly input_forget: number }>): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const recurrence = recurrenceOf(c, 4);
  lowerRecurrence(c, recurrence, ['Sigmoid', 'Tanh', 'Tanh'], 0, (fields, run, tiles) => {
    const h = run.activations[2] as GateActivation;
    const params = {
      ...fields,
      initialC: run.state(optionalInput(c, Input.initialC)),
      lastC: run.state(optionalOutput(c, 2)),
      peepholes: run.direction(optionalInput(c, Input.peepholes), 3 * recurrence.hidden),
      inputForget: c.attributes.input_forget,
      h: RecurrentActivation[h.name],
      hAlpha: h.alpha,
      hBeta: h.beta,
    };
    c.launch('lstm', params, tiles, { writes: writtenOutputs(c) });
  });
}

function gru(c: Lowering<RecurrentAttributes & { readonly linear_before_reset: number }>): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const linearBeforeReset = c.attributes.linear_before_reset;
  const recurrence = recurrenceOf(c, 3);
  const biasStride = 6 * recurrence.hidden;
  lowerRecurrence(c, recurrence, ['Sigmoid', 'Tanh'], linearBeforeReset ? 1 : 0, (fields, run, tiles) => {
    const separate = linearBeforeReset && c.given(Input.B);
    const recurrentBias = separate ? c.at(c.input(Input.B), 4 * 5 * recurrence.hidden) : 0;
    const params = {
      ...fields,
      linearBeforeReset,
      recurrentBias: run.direction(recurrentBias, biasStride),
      recurrentBiasStride: biasStride,
    };
    c.launch('gru', params, tiles, { writes: writtenOutputs(c) });
  });
}

export const recurrences: Lowerings = { GRU: gru, LSTM: lstm, RNN: rnn };
