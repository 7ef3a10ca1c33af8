import type { OperatorCases } from '../case.js';
import { type Kind, make } from '../grouped-query-case.js';

const quantized = (['PER_TENSOR', 'PER_CHANNEL'] as const).flatMap((type) =>
  ([8, 4] as const).flatMap((bits): Kind[] => [
    { moment: 'first prompt', quantized: { bits, type } },
    { moment: 'first prompt, fixed cache', quantized: { bits, type } },
    { moment: 'token', quantized: { bits, type }, rotary: 'whole' },
    { moment: 'token, fixed cache', quantized: { bits, type } },
  ]),
);

/** Caches in halves and in whole numbers, and those of other layers. */
const kinds: Kind[] = [
  ...quantized,
  { moment: 'token', type: 'float16', attributes: { qk_output: 1 }, outputs: [0, 1, 2, 3] },
  { moment: 'first prompt', type: 'float16', rotary: 'whole' },
  { moment: 'token', type: 'float16', rotary: 'whole', packed: true },
  { moment: 'token, fixed cache', type: 'float16', bias: true },
  { moment: 'token of several', type: 'float16' },
  { moment: 'token, keys of another layer' },
  { moment: 'first prompt, keys of another layer' },
  { moment: 'token, keys of another layer, fixed cache' },
];

export const operator: OperatorCases = { op: 'GroupQueryAttention', cases: kinds.map(make) };
