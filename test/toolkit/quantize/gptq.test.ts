import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { quantizeWeights } from '../../../src/tools/index.js';
import { type Codes, type Grid, restored } from '../../../src/tools/quantize/weights/blocks.js';
import { gptq } from '../../../src/tools/quantize/weights/gptq.js';
import { inverseFactor } from '../../../src/tools/quantize/weights/inverse-factor.js';
import { roundToNearest } from '../../../src/tools/quantize/weights/round-to-nearest.js';
import { checked, distance, evenly, loaded, run, type Values } from './runs.js';

const test = suite('GPTQ');

const [K, N, RANK, SAMPLES] = [96, 24, 12, 400];
const GRID: Grid = { bits: 4, block: 32, symmetric: false };

/** Rows that are mixtures of few directions, and a little noise. */
function correlated(rows: number, k: number, seed: number): Float32Array {
  const [mixture, directions, noise] = [evenly(rows * RANK, seed), evenly(RANK * k, 11), evenly(rows * k, seed + 2)];
  return Float32Array.from({ length: rows * k }, (_, i) => {
    const [row, column] = [Math.floor(i / k), i % k];
    let sum = 0.1 * (noise[i] as number);
    for (let r = 0; r < RANK; r++) sum += (mixture[row * RANK + r] as number) * (directions[r * k + column] as number);
    return sum;
  });
}

function gramOf(x: Float32Array, k: number): Float64Array {
  const gram = new Float64Array(k * k);
  for (let row = 0; row < x.length / k; row++)
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++)
        gram[i * k + j] = (gram[i * k + j] as number) + (x[row * k + i] as number) * (x[row * k + j] as number);
  return gram;
}

/** What products err by: the trace of E·XᵀX·Eᵀ. */
function lossOf(found: Codes, grid: Grid, w: Float32Array, gram: Float64Array, k: number): number {
  const e = restored(found, grid).map((x, i) => x - (w[i] as number));
  let loss = 0;
  for (let row = 0; row < e.length / k; row++)
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++)
        loss += (e[row * k + i] as number) * (gram[i * k + j] as number) * (e[row * k + j] as number);
  return loss;
}

type Matrix = readonly (readonly number[])[];

const square = (size: number, at: (i: number, j: number) => number): number[][] =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => at(i, j)));

/** XᵀX with a hundredth of its mean diagonal added to that. */
function dampedOf(gram: Float64Array, k: number): number[][] {
  const at = (i: number, j: number) => gram[i * k + j] as number;
  const mean = Array.from({ length: k }, (_, i) => at(i, i)).reduce((a, b) => a + b) / k;
  return square(k, (i, j) => at(i, j) + (i === j ? 0.01 * mean : 0));
}

/** Without the first row and column, once what goes through them is taken away. */
function eliminated([first = [], ...rest]: Matrix): number[][] {
  const [pivot = 1, ...others] = first;
  return rest.map(([head = 0, ...row]) => row.map((x, j) => x - (head * (others[j] as number)) / pivot));
}

/** Gauss and Jordan's inverse. */
function inverseOf(matrix: Matrix): number[][] {
  const size = matrix.length;
  let wide: number[][] = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let p = 0; p < size; p++) {
    const [first = [], ...rest] = wide;
    const [pivot = 1, ...others] = first;
    const solved = others.map((x) => x / pivot);
    wide = [...rest.map(([head = 0, ...row]) => row.map((x, j) => x - head * (solved[j] as number))), solved];
  }
  return wide;
}

/** The procedure as the paper has it before it makes it fast: the inverse shrinks by a row and column each time. */
function plainly(w: Float32Array, { block }: Grid, gram: Float64Array, k: number): Uint8Array {
  const codes = new Uint8Array(w.length);
  const levels = new Map<number, readonly [scale: number, zero: number]>();
  let rows = Array.from({ length: w.length / k }, (_, row) => [...w.subarray(row * k, (row + 1) * k)]);
  let inverse = inverseOf(dampedOf(gram, k));
  for (let i = 0; i < k; i++) {
    const [[pivot = 1, ...others] = []] = inverse;
    rows = rows.map(([x = 0, ...rest], row) => {
      if (i % block === 0) {
        const own = [x, ...rest].slice(0, block);
        const [least, greatest] = [Math.min(0, ...own), Math.max(0, ...own)];
        const scale = Math.fround((greatest - least) / 15);
        levels.set(row, [scale, Math.round(-least / scale)]);
      }
      const [scale, zero] = levels.get(row) as readonly [number, number];
      const code = Math.min(Math.max(Math.round(x / scale + zero), 0), 15);
      codes[row * k + i] = code;
      const error = (x - (code - zero) * scale) / pivot;
      return rest.map((y, j) => y - error * (others[j] as number));
    });
    inverse = eliminated(inverse);
  }
  return codes;
}

test('the factor is that of the inverse', () => {
  const gram = gramOf(correlated(SAMPLES, 24, 1), 24);
  const u = inverseFactor(gram, 24, 0.01);
  const found = square(24, (i, j) =>
    u.filter((_, at) => at % 24 === i).reduce((sum, x, m) => sum + x * (u[m * 24 + j] as number), 0),
  );
  inverseOf(dampedOf(gram, 24)).forEach((row, i) => {
    row.forEach((expected, j) => {
      const x = found[i]?.[j] as number;
      assert.ok(Math.abs(x - expected) < 1e-9 * Math.abs(row[i] as number), `${i}, ${j}: ${x} for ${expected}`);
    });
  });
  const below = u.filter((_, at) => at % 24 < Math.floor(at / 24));
  assert.ok(
    below.every((x) => x === 0),
    'upper',
  );
});

test('integers are those of the plain procedure, in double precision', () => {
  const w = evenly(K * N, 5);
  const gram = gramOf(correlated(SAMPLES, K, 1), K);
  assert.equal(gptq(w, GRID, gram).codes, plainly(w, GRID, gram, K));
});

for (const symmetric of [false, true])
  for (const bits of [2, 4] as const)
    test(`${bits} bits${symmetric ? ', symmetric' : ''}: the loss on other inputs is less than half of rounding's`, () => {
      const grid = { ...GRID, bits, symmetric };
      const w = evenly(K * N, 5);
      const [seen, other] = [gramOf(correlated(SAMPLES, K, 1), K), gramOf(correlated(SAMPLES, K, 77), K)];
      const loss = lossOf(gptq(w, grid, seen), grid, w, other, K);
      const rounding = lossOf(roundToNearest(w, grid), grid, w, other, K);
      assert.ok(loss < rounding / 2, `${loss} of ${rounding}`);
    });

function layersModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const weight = (name: string, rows: number, columns: number, seed: number) =>
    b.constant(name, tensor('float32', [rows, columns], evenly(rows * columns, seed)));
  const hidden = b.op('Tanh', [b.op('MatMul', [b.input('x', 'float32', ['n', 50]), weight('up', 50, 32, 1)])]);
  b.output('y', b.op('MatMul', [hidden, weight('down', 32, 20, 2)]), 'float32', ['n', 20]);
  return b.toBytes();
}

const samples = (seed: number): Values[] => [{ x: tensor('float32', [60, 50], correlated(60, 50, seed)) }];

test('in a model, whose last block is not full, outputs are nearer than by rounding', async () => {
  const model = await loaded(layersModel());
  const [feeds] = samples(9) as [Values];
  const expected = (await run(layersModel(), feeds)).y;
  const errorBy = async (method: 'rtn' | 'gptq') => {
    const bytes = await checked(await quantizeWeights(model, { method, block: 16, feeds: samples(3) }));
    return distance((await run(bytes, feeds)).y, expected);
  };
  const [rounded, found] = [await errorBy('rtn'), await errorBy('gptq')];
  assert.ok(found < 0.75 * rounded, `${found} and ${rounded}`);
});

test('feeds are asked for', async () => {
  const model = await loaded(layersModel());
  const refusal = (feeds?: Values[]) =>
    quantizeWeights(model, { method: 'gptq', ...(feeds && { feeds }) }).then(
      () => undefined,
      (error) => error?.message,
    );
  assert.match(await refusal(), /the method gptq needs feeds/);
  assert.match(await refusal([]), /feeds contains no samples/);
});

test.run();
