import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecurrentActivation, RecurrentPhase } from '../../build/kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

type Cell = 'lstm' | 'gru' | 'rnn';
type Activation = [kind: keyof typeof RecurrentActivation, alpha: number, beta: number];

const gateCount: Record<Cell, number> = { lstm: 4, gru: 3, rnn: 1 };

/** The formulas of the ONNX operator documentation. */
const formulas: Record<keyof typeof RecurrentActivation, (x: number, alpha: number, beta: number) => number> = {
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  Tanh: Math.tanh,
  Relu: (x) => Math.max(0, x),
  Affine: (x, alpha, beta) => alpha * x + beta,
  LeakyRelu: (x, alpha) => (x < 0 ? alpha * x : x),
  ThresholdedRelu: (x, alpha) => (x > alpha ? x : 0),
  ScaledTanh: (x, alpha, beta) => alpha * Math.tanh(beta * x),
  HardSigmoid: (x, alpha, beta) => Math.min(Math.max(alpha * x + beta, 0), 1),
  Elu: (x, alpha) => (x < 0 ? alpha * Math.expm1(x) : x),
  Softsign: (x) => x / (1 + Math.abs(x)),
  Softplus: (x) => Math.log1p(Math.exp(x)),
};

interface Case {
  name: string;
  cell: Cell;
  hidden: number;
  steps: number;
  batch?: number;
  directions?: 1 | 2;
  reversed?: number;
  lengths?: number[];
  initial?: boolean;
  batchFirst?: boolean;
  clip?: number;
  peepholes?: boolean;
  inputForget?: 1;
  linearBeforeReset?: 1;
  activations?: Activation[];
}

const cases: Case[] = [
  { name: 'LSTM, both directions', cell: 'lstm', hidden: 96, steps: 5, directions: 2, reversed: 2 },
  {
    name: 'LSTM, initial state, batch first',
    cell: 'lstm',
    hidden: 13,
    steps: 4,
    batch: 3,
    initial: true,
    batchFirst: true,
  },
  { name: 'LSTM, peepholes and clip', cell: 'lstm', hidden: 9, steps: 6, directions: 2, peepholes: true, clip: 0.4 },
  { name: 'LSTM, coupled gates', cell: 'lstm', hidden: 8, steps: 3, inputForget: 1, peepholes: true },
  { name: 'LSTM, a single unit', cell: 'lstm', hidden: 1, steps: 7, batch: 2, initial: true },
  {
    name: 'LSTM, lengths',
    cell: 'lstm',
    hidden: 6,
    steps: 5,
    batch: 4,
    directions: 2,
    reversed: 2,
    lengths: [5, 2, 0, 3],
  },
  { name: 'GRU', cell: 'gru', hidden: 35, steps: 5, directions: 2, reversed: 2, initial: true },
  { name: 'GRU, linear before reset', cell: 'gru', hidden: 33, steps: 5, batch: 2, linearBeforeReset: 1 },
  { name: 'GRU, reversed, lengths', cell: 'gru', hidden: 16, steps: 4, batch: 3, reversed: 1, lengths: [1, 4, 2] },
  {
    name: 'GRU, batch first, clip',
    cell: 'gru',
    hidden: 3,
    steps: 4,
    batch: 2,
    batchFirst: true,
    clip: 0.3,
    linearBeforeReset: 1,
  },
  { name: 'RNN', cell: 'rnn', hidden: 37, steps: 6, batch: 2, directions: 2, reversed: 2, initial: true },
  { name: 'RNN, reversed', cell: 'rnn', hidden: 64, steps: 3, reversed: 1 },
  {
    name: 'LSTM with Relu, Softsign and Softplus',
    cell: 'lstm',
    hidden: 5,
    steps: 2,
    activations: [
      ['Relu', 0, 0],
      ['Softsign', 0, 0],
      ['Softplus', 0, 0],
    ],
  },
  {
    name: 'LSTM with HardSigmoid, ScaledTanh and Affine',
    cell: 'lstm',
    hidden: 5,
    steps: 3,
    activations: [
      ['HardSigmoid', 0.2, 0.5],
      ['ScaledTanh', 1.7, 0.6],
      ['Affine', 0.8, 0.1],
    ],
  },
  {
    name: 'GRU with ThresholdedRelu and LeakyRelu',
    cell: 'gru',
    hidden: 5,
    steps: 3,
    activations: [
      ['ThresholdedRelu', 0.1, 0],
      ['LeakyRelu', 0.1, 0],
    ],
  },
  { name: 'LSTM, many units, many rows', cell: 'lstm', hidden: 133, steps: 3, batch: 9, directions: 2, reversed: 2 },
  {
    name: 'LSTM, equal lengths',
    cell: 'lstm',
    hidden: 10,
    steps: 4,
    batch: 7,
    reversed: 1,
    lengths: [3, 3, 3, 3, 1, 4, 4],
  },
  { name: 'GRU, many units, many rows', cell: 'gru', hidden: 261, steps: 2, batch: 6, initial: true, batchFirst: true },
  { name: 'GRU, linear before reset, four rows', cell: 'gru', hidden: 40, steps: 3, batch: 4, linearBeforeReset: 1 },
  { name: 'RNN, many units, many rows', cell: 'rnn', hidden: 517, steps: 2, batch: 5, initial: true },
  { name: 'RNN with Elu', cell: 'rnn', hidden: 5, steps: 3, activations: [['Elu', 0.9, 0]] },
];

const defaults: Record<Cell, Activation[]> = {
  lstm: [
    ['Sigmoid', 0, 0],
    ['Tanh', 0, 0],
    ['Tanh', 0, 0],
  ],
  gru: [
    ['Sigmoid', 0, 0],
    ['Tanh', 0, 0],
  ],
  rnn: [['Tanh', 0, 0]],
};

for (const variant of variants) {
  const test = suite(`recurrent (${variant})`);

  for (const c of cases) {
    test(`${c.name}: relative L2 below 2e-6`, () => {
      const { cell, hidden, steps, batch = 1, directions = 1, reversed = 0, clip = Infinity } = c;
      const gateRows = gateCount[cell] * hidden;
      const engine = freshEngine(variant);
      const x = randomFloats(steps * batch * directions * gateRows, 1);
      const r = randomFloats(directions * gateRows * hidden, 2).map((v) => (2 * v) / Math.sqrt(hidden));
      const [h0, c0] = [randomFloats(directions * batch * hidden, 3), randomFloats(directions * batch * hidden, 4)];
      const peepholes = randomFloats(directions * 3 * hidden, 5);
      const bias = randomFloats(directions * hidden, 6);
      const chosen = c.activations ?? defaults[cell];

      const stateStrides = c.batchFirst ? [directions * hidden, hidden] : [hidden, batch * hidden];
      const [stateBatch, stateDirection] = stateStrides as [number, number];
      const yStrides = c.batchFirst
        ? [directions * hidden, steps * directions * hidden, hidden]
        : [directions * batch * hidden, hidden, batch * hidden];
      const [yStep, yBatch, yDirection] = yStrides as [number, number, number];
      const gateStrides = c.batchFirst
        ? [directions * gateRows, steps * directions * gateRows]
        : [batch * directions * gateRows, directions * gateRows];
      const [gStep, gBatch] = gateStrides as [number, number];

      const columns = { lstm: 8, gru: 16, rnn: 32 }[cell];
      const panels = Math.ceil(hidden / columns) + (cell === 'gru' ? Math.ceil(hidden / 32) : 0);
      const packedBytes = 4 * directions * panels * hidden * 32;
      const packed = placeGuarded(engine, new Uint8Array(packedBytes));
      const pack = { r: placeGuarded(engine, r), packed, directions, gates: gateCount[cell], hidden };
      runInSplits(engine, 'packRecurrent', pack, directions * panels, { address: packed, bytes: packedBytes });
      assert.ok(guardsIntact(engine, packed, packedBytes));

      const y = placeGuarded(engine, new Float32Array(steps * directions * batch * hidden));
      const lastH = placeGuarded(engine, h0);
      const lastC = placeGuarded(engine, c0);
      const activation = (i: number) => chosen[i] ?? (['Tanh', 0, 0] as Activation);
      const [f, g, h] = [activation(0), activation(1), activation(2)];
      const params = {
        gates: placeGuarded(engine, x),
        packed,
        lengths: c.lengths ? placeGuarded(engine, Int32Array.from(c.lengths)) : 0,
        flag: 0,
        initialH: c.initial ? placeGuarded(engine, h0) : 0,
        lastH,
        shared: 0,
        y,
        steps,
        batch,
        hidden,
        directions,
        tileRows: 1,
        reversed,
        gatesStepStride: gStep,
        gatesBatchStride: gBatch,
        gatesDirectionStride: gateRows,
        yStepStride: yStep,
        yBatchStride: yBatch,
        yDirectionStride: yDirection,
        stateBatchStride: stateBatch,
        stateDirectionStride: stateDirection,
        clip,
        f: RecurrentActivation[f[0]],
        fAlpha: f[1],
        fBeta: f[2],
        g: RecurrentActivation[g[0]],
        gAlpha: g[1],
        gBeta: g[2],
        h: RecurrentActivation[h[0]],
        hAlpha: h[1],
        hBeta: h[2],
        initialC: c.initial ? placeGuarded(engine, c0) : 0,
        lastC,
        peepholes: c.peepholes ? placeGuarded(engine, peepholes) : 0,
        inputForget: c.inputForget ?? 0,
        linearBeforeReset: c.linearBeforeReset ?? 0,
        recurrentBias: c.linearBeforeReset ? placeGuarded(engine, bias) : 0,
        recurrentBiasStride: hidden,
      };
      const bytes = 4 * steps * directions * batch * hidden;
      runInSplits(engine, cell, params, directions * batch, { address: y, bytes });
      const alone = engine.u8.slice(y, y + bytes);
      for (const tileRows of [2, 3, 4]) {
        const tiles = directions * Math.ceil(batch / tileRows);
        runInSplits(engine, cell, { ...params, tileRows }, tiles, { address: y, bytes });
        assert.equal(engine.u8.slice(y, y + bytes), alone, `${tileRows} rows in a tile`);
      }

      // Units of a step that threads share: phases in turn, the tiles of each in any order.
      const results = [y, lastH, ...(cell === 'lstm' ? [lastC] : [])];
      const sizes = [bytes, 4 * h0.length, 4 * c0.length];
      const all = () => results.map((at, i) => engine.u8.slice(at, at + (sizes[i] as number)));
      const whole = all();
      const pitch = 32 * Math.ceil(hidden / 32);
      const stateBytes = 4 * 4 * directions * batch * pitch;
      const perStep = cell === 'gru' && !c.linearBeforeReset ? 2 : 1;
      for (const tileRows of [1, 4]) {
        const shared = placeGuarded(engine, new Uint8Array(stateBytes).fill(0xff));
        for (const at of results) engine.u8.fill(0x77, at, at + 4);
        for (let phase = 0; phase < steps * perStep; phase++) {
          const first = phase * RecurrentPhase.Tiles;
          const cuts = [16, 9, 8, 3, 0].map((tile) => first + tile);
          for (let i = 1; i < cuts.length; i++)
            engine.launch(cell, { ...params, tileRows, shared }, cuts[i - 1] as number, cuts[i]);
        }
        assert.equal(all(), whole, `shared, ${tileRows} rows`);
        assert.ok(guardsIntact(engine, shared, stateBytes));
        engine.launch(cell, { ...params, tileRows, shared }, steps * perStep * RecurrentPhase.Tiles);
        assert.equal(all(), whole, `shared, ${tileRows} rows, at once`);
      }

      const clipped = (v: number) => Math.min(Math.max(v, -clip), clip);
      const apply = (i: number, v: number) => {
        const [kind, alpha, beta] = activation(i);
        return formulas[kind](i < 2 ? clipped(v) : v, alpha, beta);
      };
      const expected = new Float64Array(bytes / 4);
      const expectedH = new Float64Array(h0.length);
      const expectedC = new Float64Array(c0.length);
      for (let d = 0; d < directions; d++) {
        for (let b = 0; b < batch; b++) {
          const state = b * stateBatch + d * stateDirection;
          const at = (v: Float32Array, j: number) => (c.initial ? (v[state + j] as number) : 0);
          let H = Array.from({ length: hidden }, (_, j) => at(h0, j));
          let C = Array.from({ length: hidden }, (_, j) => at(c0, j));
          const dot = (v: number[], row: number) =>
            v.reduce((sum, e, k) => sum + e * (r[(d * gateRows + row) * hidden + k] as number), 0);
          const length = c.lengths?.[b] ?? steps;
          for (let i = 0; i < length; i++) {
            const t = (reversed >> d) & 1 ? length - 1 - i : i;
            const input = (row: number) => x[t * gStep + b * gBatch + d * gateRows + row] as number;
            const peep = (gate: number, j: number, value: number) =>
              c.peepholes ? value * (peepholes[(d * 3 + gate) * hidden + j] as number) : 0;
            const units = H.map((_, j) => j);
            if (cell === 'rnn') H = units.map((j) => apply(0, input(j) + dot(H, j)));
            if (cell === 'gru') {
              const z = units.map((j) => apply(0, input(j) + dot(H, j)));
              const reset = units.map((j) => apply(0, input(hidden + j) + dot(H, hidden + j)));
              const gated = H.map((v, j) => v * (reset[j] as number));
              const candidate = units.map((j) => {
                const row = 2 * hidden + j;
                const linear = (reset[j] as number) * (dot(H, row) + (bias[d * hidden + j] as number));
                return apply(1, input(row) + (c.linearBeforeReset ? linear : dot(gated, row)));
              });
              H = H.map((v, j) => (1 - (z[j] as number)) * (candidate[j] as number) + (z[j] as number) * v);
            }
            if (cell === 'lstm') {
              const gate = (n: number, j: number) => input(n * hidden + j) + dot(H, n * hidden + j);
              const [previous, before] = [C, H];
              C = previous.map((v, j) => {
                const open = apply(0, gate(0, j) + peep(0, j, v));
                const forget = c.inputForget ? 1 - open : apply(0, gate(2, j) + peep(2, j, v));
                return forget * v + open * apply(1, gate(3, j));
              });
              H = before.map((_, j) => apply(0, gate(1, j) + peep(1, j, C[j] as number)) * apply(2, C[j] as number));
            }
            expected.set(H, t * yStep + b * yBatch + d * yDirection);
          }
          expectedH.set(H, state);
          expectedC.set(C, state);
        }
      }
      const read = (address: number, count: number) => engine.f32.subarray(address / 4, address / 4 + count);
      assert.ok(relativeL2(read(y, expected.length), expected) < 2e-6, 'Y');
      assert.ok(relativeL2(read(lastH, h0.length), expectedH) < 2e-6, 'Y_h');
      if (cell === 'lstm') assert.ok(relativeL2(read(lastC, c0.length), expectedC) < 2e-6, 'Y_c');
      for (const [place, size] of [
        [y, bytes],
        [lastH, 4 * h0.length],
        [lastC, 4 * c0.length],
      ] as const)
        assert.ok(guardsIntact(engine, place, size));
    });
  }

  test.run();
}
