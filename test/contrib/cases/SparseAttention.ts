import type { OperatorCases } from '../case.js';
import { type Kind, make } from '../sparse-attention-case.js';

/** First prompts. */
const kinds: Kind[] = [
  { moment: 'prompt', layout: 'local', blockSize: 1 },
  { moment: 'prompt', layout: 'local', heads: [1, 1], attributes: { scale: 0.7 } },
  { moment: 'prompt', layout: 'dense', heads: [1, 1] },
  { moment: 'prompt', layout: 'two', heads: [4, 2], blockSize: 1, type: 'float16' },
  { moment: 'prompt', layout: 'dense and local', packed: true, blockSize: 1 },
  { moment: 'prompt', layout: 'local', packed: true },
  { moment: 'prompt', layout: 'local', rotary: 'whole', heads: [1, 1] },
  { moment: 'prompt', layout: 'two', fed: true, blockSize: 3 },
  { moment: 'prompt', layout: 'two', type: 'float16', blockSize: 1 },
  { moment: 'prompt of several', layout: 'two', blockSize: 1 },
  { moment: 'prompt of several', layout: 'dense and local', heads: [2, 2], type: 'float16' },
  { moment: 'prompt of several', layout: 'local', rotary: 'whole', heads: [1, 1] },
  { moment: 'prompt of several', layout: 'two', rotary: 'whole', packed: true, type: 'float16' },
  { moment: 'prompt that fills the cache', layout: 'two' },
  { moment: 'prompt that fills the cache', layout: 'rows that see nothing', heads: [1, 1] },
  { moment: 'prompt that fills the cache', layout: 'blocks after the diagonal', heads: [1, 1] },
  { moment: 'prompt that fills the cache', layout: 'as many as before the diagonal', heads: [1, 1] },
  {
    moment: 'prompt that fills the cache',
    layout: 'rows that see nothing',
    heads: [1, 1],
    type: 'float16',
    packed: true,
  },
  { moment: 'long prompt', layout: 'rows that see nothing', blockSize: 4, heads: [1, 1] },
  { moment: 'long prompt', layout: 'dense and local', blockSize: 5, type: 'float16' },
];

export const operator: OperatorCases = { op: 'SparseAttention', cases: kinds.map(make) };
