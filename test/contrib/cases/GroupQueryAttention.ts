import { float } from '../../../src/builder/index.js';
import type { OperatorCases } from '../case.js';
import { everyMoment, type Kind, make } from '../grouped-query-case.js';

const interleaved = { rotary_interleaved: 1 };

const usual = everyMoment.flatMap((moment): Kind[] => [{ moment }, { moment, packed: true, rotary: 'whole' }]);

/** Heads side by side and packed, and rotations. */
const kinds: Kind[] = [
  ...usual,
  { moment: 'first prompt', rotary: 'partial', attributes: { ...interleaved, scale: float(0.3) } },
  { moment: 'token', rotary: 'partial' },
  { moment: 'token of several', rotary: 'whole', attributes: interleaved },
  { moment: 'first prompt', rotary: 'whole', positions: true },
  { moment: 'first prompt of several', rotary: 'whole', positions: true, attributes: interleaved },
  { moment: 'token', rotary: 'whole', positions: true },
  { moment: 'token of several', packed: true, rotary: 'partial', positions: true },
  { moment: 'later prompt', rotary: 'whole', positions: true },
  { moment: 'first prompt', constants: [5, 6] },
  { moment: 'token, fixed cache', constants: [5, 6] },
];

export const operator: OperatorCases = { op: 'GroupQueryAttention', cases: kinds.map(make) };
