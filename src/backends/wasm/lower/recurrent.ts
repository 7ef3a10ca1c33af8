import { RecurrentActivation } from '../../../../build/kernels.js';
import { recurrent } from '../../../primitives/recurrent.js';
import type { GateActivation } from '../../../primitives/recurrent-activations.js';
import { type CellName, Input, type OpenRecurrent } from '../../../primitives/recurrent-shapes.js';
import { type Lowering, lowers } from '../lowering.js';
import { lowerRecurrence, optionalInput, optionalOutput } from './recurrence.js';

function rnn(c: Lowering, parameters: OpenRecurrent): void {
  lowerRecurrence(c, parameters, 0, (fields, _run, { tiles, effects }) => {
    c.launch('rnn', fields, tiles, effects);
  });
}

function lstm(c: Lowering, parameters: OpenRecurrent): void {
  lowerRecurrence(c, parameters, 0, (fields, run, { tiles, effects }) => {
    const h = run.activations[2] as GateActivation;
    const params = {
      ...fields,
      initialC: run.state(optionalInput(c, Input.initialC)),
      lastC: run.state(optionalOutput(c, 2)),
      peepholes: run.direction(optionalInput(c, Input.peepholes), 3 * parameters.hidden),
      inputForget: Number(parameters.inputForget),
      h: RecurrentActivation[h.name],
      hAlpha: h.alpha,
      hBeta: h.beta,
    };
    c.launch('lstm', params, tiles, effects);
  });
}

function gru(c: Lowering, parameters: OpenRecurrent): void {
  const { hidden, linearBeforeReset } = parameters;
  const biasStride = 6 * hidden;
  lowerRecurrence(c, parameters, linearBeforeReset ? 1 : 0, (fields, run, { tiles, effects }) => {
    const separate = linearBeforeReset && c.given(Input.B);
    const recurrentBias = separate ? c.at(c.input(Input.B), 4 * 5 * hidden) : 0;
    const params = {
      ...fields,
      linearBeforeReset: Number(linearBeforeReset),
      recurrentBias: run.direction(recurrentBias, biasStride),
      recurrentBiasStride: biasStride,
    };
    c.launch('gru', params, tiles, effects);
  });
}

const CELLS: Readonly<Record<CellName, typeof rnn>> = { RNN: rnn, GRU: gru, LSTM: lstm };

function lowerRecurrent(c: Lowering, parameters: OpenRecurrent): 'host' | undefined {
  if (c.element(Input.X) !== 'float32') return 'host';
  CELLS[parameters.cell](c, parameters);
}

export const recurrences = lowers(recurrent, lowerRecurrent);
