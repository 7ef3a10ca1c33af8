import { float } from '../../../src/builder/index.js';
import type { OperatorCases } from '../case.js';
import { type Kind, make } from '../grouped-query-case.js';

const window = { local_window_size: 2 };
const all = [0, 1, 2, 3];

/** Biases, windows, soft caps, sinks, and scores as an output. */
const kinds: Kind[] = [
  { moment: 'token', attributes: window },
  { moment: 'first prompt', attributes: window },
  { moment: 'later prompt', attributes: window },
  { moment: 'token of several', attributes: window },
  { moment: 'token, fixed cache', attributes: window },
  { moment: 'later prompt', attributes: window, bias: true },
  { moment: 'first prompt', attributes: { softcap: 1.5 } },
  { moment: 'token', attributes: { softcap: 1.5 }, bias: true },
  { moment: 'first prompt of several', bias: true },
  { moment: 'token, fixed cache', bias: true },
  { moment: 'later prompt', bias: true },
  { moment: 'first prompt', attributes: { smooth_softmax: 1 } },
  { moment: 'token', attributes: { smooth_softmax: 1 } },
  { moment: 'first prompt', sink: true },
  { moment: 'token, fixed cache', sink: true },
  { moment: 'later prompt', sink: true, attributes: { ...window, softcap: float(2) } },
  { moment: 'token', attributes: { qk_output: 1 }, outputs: all },
  { moment: 'token', attributes: { qk_output: 2 }, outputs: all },
  { moment: 'first prompt', attributes: { qk_output: 1 }, outputs: all },
  { moment: 'first prompt', attributes: { qk_output: 2 }, outputs: all },
  { moment: 'token', attributes: { qk_output: 1, softcap: float(1.5) }, bias: true, outputs: all },
  { moment: 'later prompt', attributes: { qk_output: 1, ...window }, outputs: all },
  { moment: 'later prompt', attributes: { qk_output: 2, ...window, smooth_softmax: 1 }, outputs: all },
  { moment: 'first prompt of several', ragged: false, attributes: { qk_output: 1 }, outputs: all },
  { moment: 'first prompt of several', ragged: false, attributes: { qk_output: 2 }, outputs: all },
  { moment: 'token of several', ragged: false, attributes: { qk_output: 1 }, outputs: all },
  { moment: 'token, fixed cache', attributes: { qk_output: 1 }, bias: true, outputs: all },
  { moment: 'token, fixed cache', attributes: { qk_output: 2 }, bias: true, outputs: all },
];

export const operator: OperatorCases = { op: 'GroupQueryAttention', cases: kinds.map(make) };
