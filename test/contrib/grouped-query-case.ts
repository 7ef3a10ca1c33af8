import { type AttributeInput, tensor } from '../../src/builder/index.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Case, draw } from './case.js';

// Cases of GroupQueryAttention: which are in cases/, by what they are about.

const { chance, floats, int, ints, pick, unit } = draw(31);

/** Keys, values and sums are rounded to halves on the way, here and there not at the same places. */
const HALVES = { relative: 5e-3, absolute: 5e-3 };
/** A key between two steps of the cache goes to either; of eight bits a step is 0.02, of four 0.3. */
const KEPT = { 8: { relative: 1e-3, absolute: 1e-3 }, 4: { relative: 1e-3, absolute: 1e-3 } } as const;

/** When the node runs: how many queries there are, what came before, and the cache's length. */
const MOMENTS = {
  'first prompt': () => ({ batch: 1, rows: int(2, 3), before: 0, past: 0 }),
  'first prompt, empty past': () => ({ batch: 1, rows: int(2, 3), before: 0, past: 0, empty: true }),
  'first prompt of several': () => ({ batch: 2, rows: 2, before: 0, past: 0, ragged: chance(0.5) }),
  'first prompt, fixed cache': () => ({ batch: int(1, 2), rows: 2, before: 0, past: 4, ragged: chance(0.5) }),
  token: () => ({ batch: 1, rows: 1, before: 2, past: 2 }),
  'token of several': () => ({ batch: 2, rows: 1, before: 2, past: 2, ragged: chance(0.7) }),
  'token, fixed cache': () => ({ batch: int(1, 2), rows: 1, before: 2, past: 4, ragged: chance(0.5) }),
  'token, keys of another layer': () => ({ batch: 2, rows: 1, before: 2, past: 3, fresh: 0 }),
  'first prompt, keys of another layer': () => ({ batch: 1, rows: 3, before: 0, past: 3, fresh: 0 }),
  'token, keys of another layer, fixed cache': () => ({
    batch: 2,
    rows: 1,
    before: 2,
    past: 5,
    fresh: 0,
    ragged: true,
  }),
  'later prompt': () => ({ batch: 1, rows: 2, before: 2, past: 2 }),
  'later prompt, fixed cache': () => ({ batch: 1, rows: 2, before: 1, past: 4 }),
} as const;

interface Moment {
  readonly batch: number;
  readonly rows: number;
  readonly before: number;
  readonly past: number;
  readonly ragged?: boolean;
  readonly empty?: boolean;
  /** New keys; as many as queries if left out. */
  readonly fresh?: number;
}

export type Moments = keyof typeof MOMENTS;

export interface Kind {
  readonly moment: Moments;
  /** Whether sequences may end before the longest. */
  readonly ragged?: false;
  readonly type?: ElementType;
  readonly attributes?: Readonly<Record<string, AttributeInput>>;
  readonly packed?: boolean;
  readonly rotary?: 'whole' | 'partial';
  readonly positions?: boolean;
  readonly bias?: boolean;
  readonly sink?: boolean;
  readonly quantized?: { readonly bits: 8 | 4; readonly type: 'PER_TENSOR' | 'PER_CHANNEL' };
  readonly outputs?: readonly number[];
  readonly constants?: readonly number[];
}

/** A cache whose rows from `lengths` on are 0, as caches of a fixed size start. */
function cacheOf(
  dims: readonly number[],
  lengths: readonly number[],
  value: () => number,
  type: ElementType,
): TensorValue {
  const [, heads, rows, columns] = dims as [number, number, number, number];
  const data = Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => {
    const row = Math.floor(i / columns) % rows;
    return row < (lengths[Math.floor(i / (columns * rows * heads))] as number) ? value() : 0;
  });
  return tensor(type, dims, data);
}

export function make(kind: Kind, i: number): Case {
  const { moment, type = 'float32', packed, rotary, quantized } = kind;
  const { batch, rows, before, past, empty, fresh = -1, ...drawn }: Moment = MOMENTS[moment]();
  const ragged = kind.ragged ?? drawn.ragged;
  const shared = rotary ? 1 : int(1, 2);
  const heads = shared * int(1, rotary === 'partial' || shared > 1 || batch > 1 ? 1 : 2);
  const size = rotary === 'partial' ? 32 : rotary ? 16 : 8;
  const total = before + rows;
  const lengths = Array.from({ length: batch }, (_, b) => (ragged && b > 0 ? int(rows > 1 ? 1 : 2, total) : total));
  const query = floats([batch, rows, (heads + (packed ? 2 * shared : 0)) * size], 1, 0, type);
  const own = () => (packed ? null : floats([batch, fresh < 0 ? rows : fresh, shared * size], 1, 0, type));
  const bits = quantized?.bits;
  const kept = bits === 8 ? 'int8' : bits === 4 ? 'uint8' : type;
  const columns = bits === 4 ? size / 2 : size;
  const number = () => (bits ? int(bits === 8 ? -100 : 0, 100) : unit() * 2 - 1);
  const starts = lengths.map((n) => (fresh === 0 ? n : Math.max(0, n - rows)));
  const cache = () =>
    past || empty || quantized ? cacheOf([batch, shared, past, columns], starts, number, kept) : null;
  const scale = () =>
    quantized
      ? floats(quantized.type === 'PER_TENSOR' ? [1] : [1, shared, 1, size], 0.002, bits === 4 ? 0.3 : 0.03)
      : null;
  const angles = () => (rotary ? floats([6, rotary === 'partial' ? 8 : size / 2], 1, 0, type) : null);
  const inputs = [
    query,
    own(),
    own(),
    cache(),
    cache(),
    tensor(
      'int32',
      [batch],
      lengths.map((n) => n - 1),
    ),
    tensor('int32', chance(0.5) ? [1] : [], [total]),
    angles(),
    angles(),
    kind.positions ? ints('int64', [batch, rows], 0, 3) : null,
    kind.bias ? floats([pick([1, batch]), pick([1, heads]), rows, total], 1, 0, type) : null,
    kind.sink ? floats([heads], 1, 0, type) : null,
    scale(),
    scale(),
  ];
  const last = inputs.reduce((n, input, at) => (input ? at : n), 0);
  return {
    label: `${i}: ${moment}${ragged ? ', ragged' : ''}, ${JSON.stringify({ ...kind, moment: undefined })}`,
    attributes: {
      num_heads: heads,
      kv_num_heads: shared,
      ...(rotary && { do_rotary: 1 }),
      ...(quantized && {
        k_quant_type: quantized.type,
        v_quant_type: quantized.type,
        kv_cache_bit_width: quantized.bits,
      }),
      ...kind.attributes,
    },
    inputs: inputs.slice(0, last + 1),
    constants: [7, 8, 11, 12, 13, ...(kind.constants ?? [])],
    outputs: kind.outputs ?? [0, 1, 2],
    ...(type === 'float16' && { tolerance: HALVES }),
    ...(quantized && { tolerance: KEPT[quantized.bits] }),
  };
}

/** But for those whose keys are another layer's. */
export const everyMoment = (Object.keys(MOMENTS) as Moments[]).filter((moment) => !moment.includes('another'));
