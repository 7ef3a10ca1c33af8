import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { assertClose, numbers, open } from '../../session/run-model.js';
import { sampled } from '../../tier.js';
import { f32 } from '../../values.js';

const test = sampled(suite('recurrent operators'), { quick: 1 / 8, ci: 3 / 8 });

const [STEPS, BATCH, INPUT] = [5, 3, 7];

type Cell = 'LSTM' | 'GRU' | 'RNN';

interface Options {
  direction?: 'forward' | 'reverse' | 'bidirectional';
  layout?: number;
  clip?: number;
  activations?: string[];
  activation_alpha?: number[];
  input_forget?: number;
  linear_before_reset?: number;
  lengths?: number[];
  initial?: boolean;
  peepholes?: boolean;
  bias?: boolean;
}

const GATES = { LSTM: 4, GRU: 3, RNN: 1 };
const DEFAULTS = { LSTM: ['Sigmoid', 'Tanh', 'Tanh'], GRU: ['Sigmoid', 'Tanh'], RNN: ['Tanh'] };

const ACTIVATIONS: Record<string, (x: number, alpha: number) => number> = {
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  Tanh: Math.tanh,
  Relu: (x) => Math.max(x, 0),
  LeakyRelu: (x, alpha) => (x < 0 ? alpha * x : x),
};

type Reader = (...index: number[]) => number;

/** Reads a tensor by its indices; a tensor left out is 0 everywhere. */
function reader(x: TensorValue | undefined): Reader {
  return (...index) => (x ? Number(x.data[index.reduce((at, i, axis) => at * (x.dims[axis] as number) + i, 0)]) : 0);
}

/** The operator's definition, gate by gate. */
function expected(
  cell: Cell,
  o: Options,
  hidden: number,
  inputs: Record<string, TensorValue | undefined>,
): Record<string, TensorValue> {
  const directions = o.direction === 'bidirectional' ? 2 : 1;
  const [w, r, b, p] = [inputs.W, inputs.R, inputs.B, inputs.P].map(reader) as [Reader, Reader, Reader, Reader];
  const [h0, c0, x] = [inputs.initial_h, inputs.initial_c, inputs.X].map((value): Reader => {
    const read = reader(value);
    return o.layout ? (i, j, ...rest) => read(j as number, i as number, ...rest) : read;
  }) as [Reader, Reader, Reader];
  const n = DEFAULTS[cell].length;
  const names = o.activations ?? [...DEFAULTS[cell], ...DEFAULTS[cell]];
  const order = o.layout ? [BATCH, STEPS, directions, hidden] : [STEPS, directions, BATCH, hidden];
  const y = new Float64Array(STEPS * directions * BATCH * hidden);
  const lastH = new Float64Array(directions * BATCH * hidden);
  const lastC = new Float64Array(directions * BATCH * hidden);
  const units = Array.from({ length: hidden }, (_, i) => i);
  const rows = GATES[cell] * hidden;

  for (let d = 0; d < directions; d++) {
    let leaky = d * (names.filter((name) => name === 'LeakyRelu').length / directions);
    const [f, g, last] = names.slice(d * n, (d + 1) * n).map((name) => {
      const alpha = name === 'LeakyRelu' ? (o.activation_alpha?.[leaky++] ?? 0.01) : 0;
      return (value: number) => (ACTIVATIONS[name] as (x: number, alpha: number) => number)(value, alpha);
    }) as [(x: number) => number, (x: number) => number, (x: number) => number];
    const clip = (value: number) => (o.clip ? Math.min(Math.max(value, -o.clip), o.clip) : value);
    for (let n = 0; n < BATCH; n++) {
      let h = units.map((u) => h0(d, n, u));
      let c = units.map((u) => c0(d, n, u));
      const length = o.lengths?.[n] ?? STEPS;
      for (let step = 0; step < length; step++) {
        const backward = o.direction === 'reverse' || d === 1;
        const t = backward ? length - 1 - step : step;
        const fromX = (gate: number, u: number) => {
          let sum = b(d, gate * hidden + u);
          for (let i = 0; i < INPUT; i++) sum += x(t, n, i) * w(d, gate * hidden + u, i);
          return sum;
        };
        const fromH = (gate: number, u: number, state: number[]) =>
          state.reduce((sum, value, i) => sum + value * r(d, gate * hidden + u, i), b(d, rows + gate * hidden + u));
        const both = (gate: number, u: number) => fromX(gate, u) + fromH(gate, u, h);
        const [before, old] = [h, c];
        if (cell === 'RNN') h = units.map((u) => f(clip(both(0, u))));
        else if (cell === 'LSTM') {
          const peep = (gate: number, u: number, state: number[]) => p(d, gate * hidden + u) * (state[u] as number);
          const input = units.map((u) => f(clip(both(0, u) + peep(0, u, old))));
          const forget = units.map((u) =>
            o.input_forget ? 1 - (input[u] as number) : f(clip(both(2, u) + peep(2, u, old))),
          );
          c = units.map((u) => {
            return (forget[u] as number) * (old[u] as number) + (input[u] as number) * g(clip(both(3, u)));
          });
          h = units.map((u) => f(clip(both(1, u) + peep(1, u, c))) * last(c[u] as number));
        } else {
          const z = units.map((u) => f(clip(both(0, u))));
          const reset = units.map((u) => f(clip(both(1, u))));
          const gated = before.map((value, u) => value * (reset[u] as number));
          h = units.map((u) => {
            const recurrent = o.linear_before_reset ? (reset[u] as number) * fromH(2, u, before) : fromH(2, u, gated);
            const candidate = g(clip(fromX(2, u) + recurrent));
            return (1 - (z[u] as number)) * candidate + (z[u] as number) * (before[u] as number);
          });
        }
        for (const u of units) {
          const index = o.layout ? [n, t, d, u] : [t, d, n, u];
          y[index.reduce((at, i, axis) => at * (order[axis] as number) + i, 0)] = h[u] as number;
        }
      }
      for (const u of units) {
        const at = (o.layout ? n * directions + d : d * BATCH + n) * hidden + u;
        lastH[at] = h[u] as number;
        lastC[at] = c[u] as number;
      }
    }
  }
  const state = o.layout ? [BATCH, directions, hidden] : [directions, BATCH, hidden];
  const results = { Y: f32(order, y), Y_h: f32(state, lastH) };
  return cell === 'LSTM' ? { ...results, Y_c: f32(state, lastC) } : results;
}

const scaled = (x: TensorValue, by: number) =>
  f32(
    x.dims,
    Float32Array.from(x.data as Float32Array, (v) => v * by),
  );

async function check(cell: Cell, o: Options, hidden: number, threads: number): Promise<void> {
  const directions = o.direction === 'bidirectional' ? 2 : 1;
  const rows = GATES[cell] * hidden;
  const state = o.layout ? [BATCH, directions, hidden] : [directions, BATCH, hidden];
  const inputs: Record<string, TensorValue | undefined> = {
    X: numbers(o.layout ? [BATCH, STEPS, INPUT] : [STEPS, BATCH, INPUT], 1),
    W: scaled(numbers([directions, rows, INPUT], 2), 0.5),
    R: scaled(numbers([directions, rows, hidden], 3), 1.6 / Math.sqrt(hidden)),
    B: o.bias === false ? undefined : numbers([directions, 2 * rows], 4),
    sequence_lens: o.lengths && tensor('int32', [BATCH], o.lengths),
    initial_h: o.initial ? numbers(state, 5) : undefined,
  };
  if (cell === 'LSTM') {
    inputs.initial_c = o.initial ? numbers(state, 6) : undefined;
    inputs.P = o.peepholes ? numbers([directions, 3 * hidden], 7) : undefined;
  }
  const results = expected(cell, o, hidden, inputs);
  const { lengths, initial, peepholes, bias, ...attributes } = o;
  for (const weights of ['constant', 'fed']) {
    const b = modelBuilder({ opset: 22 });
    const feeds: Record<string, TensorValue> = {};
    const values = Object.entries(inputs).map(([name, value]) => {
      if (!value) return null;
      if (weights === 'constant' && 'WRBP'.includes(name)) return b.constant(name, value);
      feeds[name] = value;
      return b.input(name, value.type, value.dims);
    });
    const options = { hidden_size: hidden, ...attributes };
    const outputs = b.node(cell, values, options as never, { outputs: Object.keys(results).length });
    Object.keys(results).forEach((name, i) => {
      b.output(name, outputs[i] as never);
    });
    const session = await open(b.toBytes(), { intraOpNumThreads: threads });
    for (let run = 0; run < threads; run++)
      assertClose(await session.run(feeds), results, 1e-5, `${cell} with ${weights} weights`);
    await session.release();
  }
}

const COMMON: Options[] = [
  {},
  { bias: false },
  { direction: 'reverse', initial: true },
  { direction: 'bidirectional', initial: true },
  { direction: 'bidirectional', lengths: [5, 2, 4], initial: true },
  { direction: 'bidirectional', layout: 1, lengths: [1, 5, 3], initial: true },
  { clip: 0.3 },
];

const OWN: Record<Cell, Options[]> = {
  LSTM: [
    { peepholes: true, initial: true },
    { direction: 'bidirectional', peepholes: true, layout: 1 },
    { input_forget: 1 },
    { activations: ['Sigmoid', 'LeakyRelu', 'Relu'], activation_alpha: [0.2] },
    {
      direction: 'bidirectional',
      initial: true,
      peepholes: true,
      activations: ['Sigmoid', 'LeakyRelu', 'Tanh', 'Sigmoid', 'Tanh', 'LeakyRelu'],
      activation_alpha: [0.2, 0.3],
    },
  ],
  GRU: [
    { linear_before_reset: 1, initial: true },
    { linear_before_reset: 1, direction: 'bidirectional', layout: 1, lengths: [2, 5, 1] },
    { linear_before_reset: 1, bias: false },
    { direction: 'bidirectional', linear_before_reset: 1, activations: ['Sigmoid', 'Tanh', 'Sigmoid', 'Relu'] },
  ],
  RNN: [{ activations: ['Relu'] }, { direction: 'bidirectional', activations: ['Tanh', 'Relu'], initial: true }],
};

/** With few units a thread has whole sequences; with many and more threads than sequences, they share the units of each step. */
const WAYS = [
  { hidden: 11, threads: 1 },
  { hidden: 150, threads: 5 },
];

for (const cell of ['LSTM', 'GRU', 'RNN'] as const) {
  for (const options of [...COMMON, ...OWN[cell]])
    for (const { hidden, threads } of WAYS)
      test(`${cell} ${JSON.stringify(options)}, ${hidden} units`, () => check(cell, options, hidden, threads));
}

/** Two layers, one behind the other, over as many steps as X has. */
function layers(cell: Cell, hidden: number): Uint8Array {
  const b = modelBuilder({ opset: 22 });
  const rows = GATES[cell] * hidden;
  let x = b.input('x', 'float32', ['steps', 1, hidden]);
  for (const layer of [1, 2]) {
    const weights = ['w', 'r'].map((name, i) =>
      b.constant(`${name}${layer}`, scaled(numbers([1, rows, hidden], layer + i), 1.6 / Math.sqrt(hidden))),
    );
    const [y, last] = b.node(cell, [x, ...weights], { hidden_size: hidden }, { outputs: 2 });
    b.output(`last${layer}`, last as never);
    x = b.op('Squeeze', [y as never, b.constant(`axes${layer}`, tensor('int64', [1], [1n]))]);
  }
  b.output('y', x);
  return b.toBytes();
}

for (const cell of ['LSTM', 'GRU', 'RNN'] as const)
  test(`${cell}: threads give the bits of one, however many steps there are`, async () => {
    const model = layers(cell, 192);
    const alone = await open(model, { intraOpNumThreads: 1 });
    const expected = new Map<number, unknown>();
    const lengths = [3, 40, 1, 17, 0, 40, 3, 5, 6, 7, 8];
    for (const steps of lengths) expected.set(steps, await alone.run({ x: numbers([steps, 1, 192], steps) }));
    for (const [threads, enableProfiling] of [
      [2, false],
      [3, true],
      [8, false],
    ] as const) {
      const session = await open(model, { intraOpNumThreads: threads, enableProfiling });
      for (const steps of lengths)
        assert.equal(await session.run({ x: numbers([steps, 1, 192], steps) }), expected.get(steps), `${steps} steps`);
      await session.release();
    }
    await alone.release();
  });

test.run();
