import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LinearAttentionTile } from '../../build/quantized-kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

interface Case {
  batch?: number;
  length: number;
  kvHeads?: number;
  /** Query heads per key head. */
  group?: number;
  keySize: number;
  valueSize: number;
  past?: boolean;
  decay?: 'head' | 'key';
  beta?: 'head' | 'all';
}

const cases: Record<string, Case> = {
  'a plain step': { length: 1, keySize: 8, valueSize: 16 },
  'a step of a gated delta rule': {
    batch: 2,
    length: 1,
    kvHeads: 3,
    keySize: 9,
    valueSize: 32,
    past: true,
    decay: 'head',
    beta: 'head',
  },
  'plain, odd sizes': { batch: 2, length: 5, kvHeads: 2, keySize: 7, valueSize: 21, past: true },
  'gated by head': { length: 6, kvHeads: 2, keySize: 12, valueSize: 16, decay: 'head' },
  'gated by key': { length: 6, kvHeads: 2, keySize: 12, valueSize: 23, past: true, decay: 'key' },
  delta: { batch: 2, length: 9, kvHeads: 2, keySize: 11, valueSize: 35, beta: 'head' },
  'delta, one rate for all heads': { length: 9, kvHeads: 2, keySize: 10, valueSize: 16, beta: 'all', past: true },
  'gated delta by key': {
    batch: 2,
    length: 7,
    kvHeads: 2,
    keySize: 13,
    valueSize: 18,
    decay: 'key',
    beta: 'head',
    past: true,
  },
  'gated delta, queries share a state': {
    batch: 2,
    length: 7,
    kvHeads: 2,
    group: 3,
    keySize: 16,
    valueSize: 18,
    decay: 'key',
    beta: 'head',
  },
  'keys of one': { length: 4, keySize: 1, valueSize: 17, decay: 'key', beta: 'all' },
  'no steps': { batch: 2, length: 0, kvHeads: 2, keySize: 5, valueSize: 18, past: true },
};

const SCALE = 0.3;

for (const variant of variants) {
  const test = suite(`linear attention (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, length, kvHeads = 1, group = 1, keySize, valueSize } = c;
      const heads = kvHeads * group;
      const steps = batch * length;
      const q = randomFloats(steps * heads * keySize, 1);
      const k = randomFloats(steps * kvHeads * keySize, 2).map((x) => x / Math.sqrt(keySize));
      const v = randomFloats(steps * kvHeads * valueSize, 3);
      const decaySize = c.decay === 'key' ? keySize : c.decay ? 1 : 0;
      const decay = randomFloats(steps * kvHeads * decaySize, 4).map((x) => 0.75 + x / 4);
      const betaHeads = c.beta === 'all' ? 1 : c.beta ? kvHeads : 0;
      const beta = randomFloats(steps * betaHeads, 5).map((x) => 0.5 + x / 2);
      const past = randomFloats(batch * kvHeads * keySize * valueSize, 6);

      const y = new Float64Array(steps * heads * valueSize);
      const present = c.past ? Float64Array.from(past) : new Float64Array(past.length);
      for (let n = 0; n < batch; n++) {
        for (let h = 0; h < kvHeads; h++) {
          for (let t = 0; t < length; t++) {
            const at = (n * length + t) * kvHeads + h;
            const state = (d: number, m: number) => ((n * kvHeads + h) * keySize + d) * valueSize + m;
            const rate = beta[(n * length + t) * betaHeads + (betaHeads > 1 ? h : 0)] ?? 0;
            for (let m = 0; m < valueSize; m++) {
              let held = 0;
              for (let d = 0; d < keySize; d++) {
                const factor = c.decay ? (decay[at * decaySize + (decaySize > 1 ? d : 0)] as number) : 1;
                present[state(d, m)] = (present[state(d, m)] as number) * factor;
                held += (present[state(d, m)] as number) * (k[at * keySize + d] as number);
              }
              const value = v[at * valueSize + m] as number;
              const delta = c.beta ? rate * (value - held) : value;
              for (let d = 0; d < keySize; d++)
                present[state(d, m)] = (present[state(d, m)] as number) + (k[at * keySize + d] as number) * delta;
              for (let g = 0; g < group; g++) {
                const head = (n * length + t) * heads + h * group + g;
                let sum = 0;
                for (let d = 0; d < keySize; d++)
                  sum += (q[head * keySize + d] as number) * (present[state(d, m)] as number);
                y[head * valueSize + m] = SCALE * sum;
              }
            }
          }
        }
      }

      const engine = freshEngine(variant);
      const [yAt, presentAt] = [y, present].map(({ length }) => placeGuarded(engine, new Float32Array(length))) as [
        number,
        number,
      ];
      const params = {
        ...{ q: placeGuarded(engine, q), k: placeGuarded(engine, k), v: placeGuarded(engine, v) },
        past: c.past ? placeGuarded(engine, past) : 0,
        decay: c.decay ? placeGuarded(engine, decay) : 0,
        beta: c.beta ? placeGuarded(engine, beta) : 0,
        ...{ y: yAt, present: presentAt },
        ...{ batch, length, heads, kvHeads, keySize, valueSize, decaySize, betaHeads, scale: SCALE },
      };
      const tiles = batch * kvHeads * Math.ceil(valueSize / LinearAttentionTile.Columns);
      runInSplits(engine, 'linearAttention', params, tiles, { address: presentAt, bytes: 4 * present.length });
      runInSplits(engine, 'linearAttention', params, tiles, { address: yAt, bytes: 4 * y.length });
      const check = (what: string, stateAt: number) => {
        for (const [at, expected] of [
          [yAt, y],
          [stateAt, present],
        ] as const) {
          const error = relativeL2(engine.f32.slice(at / 4, at / 4 + expected.length), expected);
          assert.ok(error < 4e-7, `${what}: relative L2 ${error}`);
          assert.ok(guardsIntact(engine, at, 4 * expected.length));
        }
      };
      check('apart', presentAt);
      engine.launch('linearAttention', { ...params, present: 0 }, tiles);
      check('no present wanted', presentAt);
      if (!c.past) return;
      engine.launch('linearAttention', { ...params, present: params.past }, tiles);
      check('in place', params.past);
    });
  }
  test.run();
}
