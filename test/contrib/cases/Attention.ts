import { float, ints as intsAttribute } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, ints, pick } = draw(42);

type Mask = 'lengths' | 'lengths and starts' | 'packed' | 'flags' | 'flags by query';

interface Kind {
  readonly past?: boolean;
  readonly mask?: Mask;
  readonly attentionBias?: boolean;
  readonly unidirectional?: boolean;
  /** Values are of another size than keys. */
  readonly uneven?: boolean;
  readonly present?: boolean;
}

/** Where all keys of a query are hidden, they weigh by scores near −10000, which float32 holds to 0.001. */
const FILTERED = { relative: 1e-3, absolute: 1e-3 };

function make(kind: Kind, i: number): Case {
  const [batch, heads, rows, size, width] = [int(1, 2), int(1, 3), int(1, 3), pick([2, 4]), int(3, 6)];
  const hidden = heads * size;
  const own = kind.uneven ? heads * (size + 1) : hidden;
  const past = kind.past ? int(1, 3) : 0;
  const keys = past + rows;
  const mask = () => {
    if (kind.mask === 'lengths') return ints('int32', [batch], 1, keys);
    if (kind.mask === 'packed') return ints('int32', [3 * batch + 2], 1, keys);
    if (kind.mask === 'lengths and starts') return ints('int32', [2 * batch], 0, keys);
    return ints('int32', kind.mask === 'flags' ? [batch, keys] : [batch, rows, keys], 0, 1);
  };
  const isMild = chance(0.5);
  const inputs = [
    floats([batch, rows, width]),
    floats([width, 2 * hidden + own], 0.5),
    floats([2 * hidden + own]),
    kind.mask ? mask() : null,
    kind.past ? floats([2, batch, heads, past, size]) : null,
    kind.attentionBias ? floats([pick([1, batch]), pick([1, heads]), rows, keys]) : null,
  ];
  return {
    label: `${i}: ${JSON.stringify(kind)}`,
    attributes: {
      num_heads: heads,
      ...(kind.unidirectional && { unidirectional: 1 }),
      ...(kind.uneven && { qkv_hidden_sizes: intsAttribute([hidden, hidden, own]) }),
      ...(chance(0.3) && { scale: float(0.4) }),
      ...(kind.mask && isMild && { mask_filter_value: float(-1) }),
    },
    inputs: inputs.slice(0, inputs.findLastIndex((input) => input) + 1),
    constants: chance(0.7) ? [1, 2] : [],
    outputs: kind.past || kind.present ? [0, 1] : [0],
    ...(kind.mask && !isMild && { tolerance: FILTERED }),
  };
}

const kinds: Kind[] = [
  {},
  {},
  {},
  { uneven: true },
  { uneven: true, mask: 'flags' },
  { mask: 'lengths' },
  { mask: 'lengths' },
  { mask: 'lengths and starts' },
  { mask: 'lengths and starts' },
  { mask: 'packed' },
  { mask: 'flags' },
  { mask: 'flags by query' },
  { attentionBias: true },
  { attentionBias: true, mask: 'flags' },
  { unidirectional: true },
  { unidirectional: true, mask: 'lengths' },
  { unidirectional: true, past: true },
  { unidirectional: true, past: true, mask: 'flags' },
  { unidirectional: true, present: true },
  { past: true },
  { past: true, mask: 'lengths' },
  { past: true, mask: 'flags' },
  { past: true, mask: 'flags by query' },
];

export const operator: OperatorCases = { op: 'Attention', cases: kinds.map(make) };
