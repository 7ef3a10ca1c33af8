// Cases of SparseAttention: which are in cases/, by what they are about.

import { type AttributeInput, tensor } from '../../src/builder/index.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Case, draw } from './case.js';

const { floats, unit } = draw(57);

/** Keys, weights and sums are rounded to halves on the way, here and there not at the same places. */
const HALVES = { relative: 5e-3, absolute: 5e-3 };

/** When the node runs: queries, and for each sequence the keys that come before. */
const MOMENTS = {
  prompt: { rows: 3, before: [0], length: 4 },
  'prompt of several': { rows: 3, before: [0, 0], length: 4 },
  'prompt that fills the cache': { rows: 5, before: [0], length: 5 },
  'long prompt': { rows: 12, before: [0], length: 12 },
  token: { rows: 1, before: [4], length: 5 },
  'first token': { rows: 1, before: [0], length: 4 },
  'token of several': { rows: 1, before: [3, 3], length: 4 },
  'token of several, ragged': { rows: 1, before: [1, 3], length: 4 },
  'later prompt': { rows: 2, before: [2], length: 4 },
  'later prompt of several': { rows: 2, before: [2, 2], length: 4 },
  'later prompt of several, ragged': { rows: 2, before: [2, 0], length: 4 },
} as const;

/** Rows of blocks, a layout each: which blocks of keys they see. */
const LAYOUTS = {
  dense: [[[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]],
  local: [[[0], [0, 1], [1, 2], [2, 3]]],
  two: [
    [[0], [0, 1], [1, 2], [1, 2, 3]],
    [[0], [0, 1], [0, 1, 2], [0, 2, 3]],
  ],
  'dense and local': [
    [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]],
    [[0], [1], [2], [3]],
  ],
  'rows that see nothing': [[[], [0], [], [1, 2]]],
  'blocks after the diagonal': [[[0, 1, 2], [1], [1, 3], [3]]],
  'as many as before the diagonal': [[[2], [1, 3], [0, 1, 3], [0]]],
} as const;

export interface Kind {
  readonly moment: keyof typeof MOMENTS;
  readonly layout: keyof typeof LAYOUTS;
  readonly heads?: readonly [query: number, shared: number];
  readonly blockSize?: number;
  readonly type?: ElementType;
  readonly packed?: boolean;
  readonly rotary?: 'whole' | 'partial';
  readonly attributes?: Readonly<Record<string, AttributeInput>>;
  /** Blocks that are fed. */
  readonly fed?: boolean;
}

const ints = (dims: readonly number[], values: readonly number[]) => tensor('int32', dims, values);

/** Shorter layouts end in −1. */
function blocksOf(layouts: readonly (readonly (readonly number[])[])[]): TensorValue[] {
  const width = Math.max(...layouts.map((rows) => rows.flat().length));
  const starts = layouts.map((rows) => [0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]);
  const columns = layouts.map((rows) => [...rows.flat(), ...new Array<number>(width - rows.flat().length).fill(-1)]);
  const bounds = (layouts[0]?.length ?? 0) + 1;
  return [ints([layouts.length, bounds], starts.flat()), ints([layouts.length, width], columns.flat())];
}

export function make(kind: Kind, i: number): Case {
  const { moment, layout, heads: [heads, shared] = [2, 1], type = 'float32', packed, rotary } = kind;
  const { rows, before, length } = MOMENTS[moment];
  const blockSize = kind.blockSize ?? (length > 4 ? 2 : 1);
  const batch = before.length;
  const size = rotary === 'partial' ? 32 : rotary ? 16 : 8;
  const numbers = (dims: readonly number[]) => floats(dims, 1, 0, type);
  const own = () => (packed ? null : numbers([batch, rows, shared * size]));
  const cache = () => numbers([batch, shared, length, size]);
  const angles = () => (rotary ? numbers([length, rotary === 'partial' ? 8 : size / 2]) : null);
  const query = numbers([batch, rows, (heads + (packed ? 2 * shared : 0)) * size]);
  const lengths = before.map((n) => n + rows);
  // Of sequences of several lengths onnxruntime reads the weights of shorter ones where they are not.
  const isRagged = new Set(lengths).size > 1;
  const inputs = [
    ...[query, own(), own(), cache(), cache()],
    ...blocksOf(LAYOUTS[layout]),
    ints(unit() < 0.5 ? [1] : [], [Math.max(...lengths)]),
    ints([batch], lengths),
    ...(rotary ? [angles(), angles()] : []),
  ];
  return {
    label: `${i}: ${moment}, ${JSON.stringify({ ...kind, moment: undefined })}`,
    attributes: {
      num_heads: heads,
      kv_num_heads: shared,
      sparse_block_size: blockSize,
      ...(rotary && { do_rotary: 1 }),
      ...kind.attributes,
    },
    inputs,
    constants: [...(kind.fed ? [] : [5, 6]), 9, 10],
    outputs: isRagged ? [1, 2] : [0, 1, 2],
    overwrites: { 1: 3, 2: 4 },
    ...(type === 'float16' && { tolerance: HALVES }),
  };
}
