import { int } from '../attributes.js';
import { defineOp } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { throughFloat32 } from '../through-float32.js';
import {
  inferRecurrent,
  lowerRecurrence,
  optionalInput,
  optionalOutput,
  recurrenceOf,
  recurrentAttributes,
  writtenOutputs,
} from './recurrence.js';
import type { GateActivation } from './recurrent-activations.js';

const INITIAL_C = 6;
const PEEPHOLES = 7;

/** https://onnx.ai/onnx/operators/onnx__LSTM.html */
export const lstm = defineOp({
  name: 'LSTM',
  signature:
    'X: T, W: T, R: T, B?: T, sequence_lens?: int32, initial_h?: T, initial_c?: T, P?: T -> Y?: T, Y_h?: T, Y_c?: T',
  types: { T: FLOATS },
  attributes: { ...recurrentAttributes, input_forget: int(0) },
  infer: inferRecurrent,
  decompose: (c) => throughFloat32(c, [c.element(0), c.element(0), c.element(0)]),
  lower(c) {
    if (c.element(0) !== 'float32') return 'host';
    const recurrence = recurrenceOf(c, 4);
    lowerRecurrence(c, recurrence, ['Sigmoid', 'Tanh', 'Tanh'], 0, (fields, run, tiles) => {
      const h = run.activations[2] as GateActivation;
      const params = {
        ...fields,
        initialC: run.state(optionalInput(c, INITIAL_C)),
        lastC: run.state(optionalOutput(c, 2)),
        peepholes: run.direction(optionalInput(c, PEEPHOLES), 3 * recurrence.hidden),
        inputForget: c.attributes.input_forget,
        h: h.kind,
        hAlpha: h.alpha,
        hBeta: h.beta,
      };
      c.launch('lstm', params, tiles, { writes: writtenOutputs(c) });
    });
  },
});
