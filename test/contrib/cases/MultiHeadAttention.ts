import { float } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, ints, pick } = draw(41);

type Mask = 'lengths' | 'lengths and starts' | 'flags' | 'flags of all' | 'flags by query';

interface Kind {
  readonly cross?: boolean;
  /** Keys and values come as [batch, heads, length, size]. */
  readonly ordered?: boolean;
  readonly past?: boolean;
  readonly mask?: Mask;
  readonly bias?: boolean;
  readonly attentionBias?: boolean;
  readonly unidirectional?: boolean;
  readonly outputs?: readonly number[];
}

/** Where all keys of a query are hidden, they weigh by scores near −10000, which float32 holds to 0.001. */
const FILTERED = { relative: 1e-3, absolute: 1e-3 };

function make(kind: Kind, i: number): Case {
  const [batch, heads, rows, size] = [int(1, 2), int(1, 3), int(1, 3), pick([2, 4, 5])];
  const own = kind.past || kind.ordered || kind.outputs ? size : pick([size, size + 1]);
  const fresh = kind.cross || kind.ordered ? int(2, 4) : rows;
  const past = kind.past ? int(1, 3) : 0;
  const keys = past + fresh;
  const masks: Record<Mask, () => readonly [number[], number, number]> = {
    lengths: () => [[batch], 1, keys],
    'lengths and starts': () => [[3 * batch + 2], 1, keys],
    flags: () => [[batch, fresh], 0, 1],
    'flags of all': () => [[batch, keys], 0, 1],
    'flags by query': () => [[batch, rows, keys], 0, 1],
  };
  const mask = kind.mask && ints('int32', ...masks[kind.mask]());
  const along = (columns: number) => (kind.ordered ? [batch, heads, fresh, columns] : [batch, fresh, heads * columns]);
  const isMild = chance(0.5);
  const inputs = [
    floats([batch, rows, heads * size]),
    floats(along(size)),
    floats(along(own)),
    kind.bias ? floats([heads * (2 * size + own)]) : null,
    mask ?? null,
    kind.attentionBias ? floats([pick([1, batch]), pick([1, heads]), rows, keys]) : null,
    kind.past ? floats([batch, heads, past, size]) : null,
    kind.past ? floats([batch, heads, past, size]) : null,
  ];
  return {
    label: `${i}: ${JSON.stringify(kind)}`,
    attributes: {
      num_heads: heads,
      ...(kind.unidirectional && { unidirectional: 1 }),
      ...(chance(0.3) && { scale: float(0.4) }),
      ...(kind.mask && isMild && { mask_filter_value: float(-1) }),
    },
    inputs: inputs.slice(0, inputs.findLastIndex((input) => input) + 1),
    constants: chance(0.5) ? [3] : [],
    outputs: kind.outputs ?? [0],
    ...(kind.mask && !isMild && { tolerance: FILTERED }),
    outputTypes: { 3: 'float32' },
  };
}

const cached = [0, 1, 2];
const all = [0, 1, 2, 3];

const kinds: Kind[] = [
  {},
  {},
  { bias: true },
  { cross: true },
  { cross: true, bias: true },
  { ordered: true },
  { ordered: true, attentionBias: true },
  { ordered: true, mask: 'lengths' },
  { mask: 'lengths' },
  { mask: 'lengths and starts' },
  { mask: 'flags' },
  { mask: 'flags by query' },
  { cross: true, mask: 'flags' },
  { past: true, outputs: cached },
  { past: true, bias: true, outputs: cached },
  { past: true, mask: 'lengths', outputs: cached },
  { past: true, mask: 'flags of all', outputs: cached },
  { past: true, mask: 'flags by query', attentionBias: true, outputs: cached },
  { outputs: cached },
  { attentionBias: true },
  { attentionBias: true, mask: 'flags', unidirectional: true },
  { unidirectional: true },
  { unidirectional: true, past: true, outputs: cached },
  { unidirectional: true, mask: 'lengths' },
  { past: true, outputs: all },
  { attentionBias: true, outputs: [0, 3] },
  { mask: 'flags', outputs: [0, 3] },
  { ordered: true, bias: true },
  { ordered: true, bias: true },
  { ordered: true, bias: true, attentionBias: true },
  { ordered: true, bias: true, mask: 'lengths' },
  { ordered: true, bias: true, mask: 'flags', outputs: [0, 3] },
  { ordered: true, bias: true, outputs: cached },
  { ordered: true, bias: true, unidirectional: true },
];

export const operator: OperatorCases = { op: 'MultiHeadAttention', cases: kinds.map(make) };
