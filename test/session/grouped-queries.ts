import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { InferenceSession, SessionState } from '../../src/index.js';
import { fromFloat16, toFloat16 } from '../../src/tensor/half.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';
import { int64s } from '../values.js';

export const [HEADS, SHARED, SIZE, LAYERS] = [4, 2, 16, 2];
const { floats } = draw(11);

export interface Kind {
  readonly window?: number;
  /** The logarithms of what each head adds to its sums. */
  readonly sinks?: readonly number[];
  /** What the model's caches are. */
  readonly caches?: 'float32' | 'float16';
}

/** Grouped queries whose lengths follow from a mask, as decoders are published; each layer has the same operands. */
export function grouped({ window = -1, sinks, caches = 'float32' }: Kind = {}): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const x = (name: string, heads: number) => b.input(name, 'float32', ['batch', 'rows', heads * SIZE]);
  const [q, k, v] = [x('q', HEADS), x('k', SHARED), x('v', SHARED)];
  const mask = b.input('attention_mask', 'int64', ['batch', 'total']);
  const one = b.constant('one', tensor('int64', [], [1n]));
  const counted = b.op('Sub', [b.op('ReduceSum', [mask, b.constant('axes', int64s([1]))], { keepdims: 0 }), one]);
  const lengths = b.op('Cast', [counted], { to: 6 });
  const total = b.op('Cast', [b.op('Gather', [b.op('Shape', [mask]), one])], { to: 6 });
  const sink = sinks ? [null, null, null, null, b.constant('sinks', tensor('float32', [HEADS], sinks))] : [];
  for (let layer = 0; layer < LAYERS; layer++) {
    const past = ['key', 'value'].map((part) =>
      b.input(`past_key_values.${layer}.${part}`, caches, ['batch', SHARED, 'past', SIZE]),
    );
    const attributes = { num_heads: HEADS, kv_num_heads: SHARED, local_window_size: window };
    const outputs = b.node('GroupQueryAttention', [q, k, v, ...past, lengths, total, ...sink], attributes, {
      domain: 'com.microsoft',
      outputs: 3,
    });
    for (const [i, name] of [`y${layer}`, `present.${layer}.key`, `present.${layer}.value`].entries())
      b.output(name, outputs[i] as typeof q);
  }
  return b.toBytes();
}

export type Step = Readonly<Record<'q' | 'k' | 'v', TensorValue>>;

export const step = (rows: number, batch = 1): Step => ({
  q: floats([batch, rows, HEADS * SIZE]),
  k: floats([batch, rows, SHARED * SIZE]),
  v: floats([batch, rows, SHARED * SIZE]),
});

export const rowsOf = ({ q }: Step) => q.dims[1] as number;
export const masked = (steps: readonly Step[]) => {
  const rows = steps.reduce((n, s) => n + rowsOf(s), 0);
  const batch = (steps[0] as Step).q.dims[0] as number;
  return { type: 'int64', dims: [batch, rows], data: new BigInt64Array(batch * rows).fill(1n) } as TensorValue;
};

/** Halves go to the even one of two integers. */
const toEven = (x: number) => (x - Math.floor(x) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

/** What a row is worth once it has been stored. */
type Stored = (row: readonly number[]) => number[];

export const STORED: Record<'float32' | 'float16' | 'int8', Stored> = {
  float32: (row) => [...row],
  float16: (row) => row.map((x) => fromFloat16(toFloat16(x))),
  int8(row) {
    const most = Math.max(...row.map(Math.abs));
    // In single precision: of what lies between two integers by 3 millionths of one, that says which it is.
    const factor = Math.fround(127 / most);
    return row.map((x) => toEven(Math.fround(x * factor)) * (most / 127));
  },
};

/** Rows of one head of an operand in one sequence, over all steps. */
const rowsOfHead = (steps: readonly Step[], name: 'q' | 'k' | 'v', heads: number, head: number, batch: number) =>
  steps.flatMap((s) =>
    Array.from({ length: rowsOf(s) }, (_, row) => {
      const from = (batch * rowsOf(s) + row) * heads * SIZE + head * SIZE;
      return Array.from((s[name].data as Float32Array).subarray(from, from + SIZE));
    }),
  );

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);

/** Attention of the last query of a sequence over all keys, or those of the window, in double precision. */
export function expected(
  steps: readonly Step[],
  { window, sinks }: Kind = {},
  stored: Stored = STORED.float32,
  batch = 0,
): number[] {
  const seen = <T>(rows: readonly T[]) => (window ? rows.slice(-window) : rows);
  return Array.from({ length: HEADS }, (_, head) => {
    const shared = Math.floor(head / (HEADS / SHARED));
    const query = rowsOfHead(steps, 'q', HEADS, head, batch).at(-1) as number[];
    const keys = seen(rowsOfHead(steps, 'k', SHARED, shared, batch)).map(stored);
    const weights = keys.map((key) => Math.exp(dot(query, key) / Math.sqrt(SIZE)));
    const total = weights.reduce((a, b) => a + b, sinks ? Math.exp(sinks[head] as number) : 0);
    const values = seen(rowsOfHead(steps, 'v', SHARED, shared, batch)).map(stored);
    const column = (i: number) => values.map((row) => row[i] as number);
    return Array.from({ length: SIZE }, (_, i) => dot(weights, column(i)) / total);
  }).flat();
}

export interface Checks extends Kind {
  readonly stored?: Stored;
  readonly bound?: number;
}

/** Runs the last step and compares what its last query sees, in each layer and sequence. */
export async function check(
  session: InferenceSession,
  state: SessionState,
  steps: readonly Step[],
  { stored, bound = 1e-5, ...kind }: Checks = {},
): Promise<void> {
  const last = steps.at(-1) as Step;
  const results = await session.run({ ...last, attention_mask: masked(steps) }, { state });
  const width = HEADS * SIZE;
  for (let batch = 0; batch < (last.q.dims[0] as number); batch++) {
    const wanted = expected(steps, kind, stored, batch);
    for (let layer = 0; layer < LAYERS; layer++) {
      const { data } = results[`y${layer}`] as TensorValue;
      const end = (batch + 1) * rowsOf(last) * width;
      const got = (data as Float32Array).subarray(end - width, end);
      for (const [i, x] of wanted.entries()) {
        const off = Math.abs((got[i] as number) - x);
        if (!(off < bound)) throw new Error(`${got[i]} for ${x} at ${i} of layer ${layer}, sequence ${batch}`);
      }
    }
  }
}
