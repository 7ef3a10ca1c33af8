import type { OperatorCases } from '../case.js';
import { type Kind, make } from '../sparse-attention-case.js';

/** What follows a first prompt. */
const kinds: Kind[] = [
  { moment: 'token', layout: 'local', attributes: { scale: 0.7 } },
  { moment: 'token', layout: 'dense' },
  { moment: 'token', layout: 'two', heads: [2, 2], type: 'float16' },
  { moment: 'token', layout: 'local', fed: true },
  { moment: 'token', layout: 'rows that see nothing' },
  { moment: 'token', layout: 'local', type: 'float16', rotary: 'whole' },
  { moment: 'first token', layout: 'local' },
  { moment: 'first token', layout: 'local', rotary: 'partial', packed: true },
  { moment: 'token of several', layout: 'two' },
  { moment: 'token of several', layout: 'dense and local', heads: [4, 1], type: 'float16' },
  { moment: 'token of several', layout: 'local', rotary: 'whole', packed: true, type: 'float16' },
  { moment: 'token of several, ragged', layout: 'dense and local' },
  {
    moment: 'token of several, ragged',
    layout: 'local',
    rotary: 'whole',
    heads: [1, 1],
    attributes: { rotary_interleaved: 1 },
  },
  { moment: 'token of several, ragged', layout: 'local', packed: true },
  { moment: 'later prompt', layout: 'two' },
  { moment: 'later prompt', layout: 'as many as before the diagonal' },
  { moment: 'later prompt', layout: 'local', rotary: 'whole', packed: true, heads: [1, 1] },
  { moment: 'later prompt', layout: 'local', type: 'float16', packed: true },
  { moment: 'later prompt of several', layout: 'local', rotary: 'whole', heads: [1, 1] },
  { moment: 'later prompt of several', layout: 'local', fed: true },
  { moment: 'later prompt of several, ragged', layout: 'two' },
];

export const operator: OperatorCases = { op: 'SparseAttention', cases: kinds.map(make) };
