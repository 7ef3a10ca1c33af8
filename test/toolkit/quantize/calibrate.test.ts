import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  type CalibrateOptions,
  calibrate,
  type Model,
  parseRanges,
  type Ranges,
  toCalibrationCache,
} from '../../../src/tools/index.js';
import { loaded } from './runs.js';

const test = suite('ranges of values');

interface Case {
  readonly options: CalibrateOptions;
  /** What onnxruntime's collector comes to. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
}

const { cases } = JSON.parse(readFileSync(new URL('ranges.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

/** Ninth powers of what is even between -2 and 2: the numbers of witness.py. */
function heavyTails(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const x = Math.fround(state / 2 ** 30);
    const cube = Math.fround(Math.fround(x * x) * x);
    return Math.fround(cube * cube) * cube;
  });
}

const SAMPLES = [1, 2, 3].map((seed) => ({ x: tensor('float32', [3000], heavyTails(3000, seed)) }));

/** A value and its sizes. */
function network(): Promise<Model> {
  const b = modelBuilder({ opset: 17 });
  b.output('sizes', b.op('Abs', [b.input('x', 'float32', ['n'])]), 'float32', ['n']);
  return loaded(b.toBytes());
}

for (const { options, ranges } of cases)
  test(`${JSON.stringify(options)}: onnxruntime's, where its ways are asked for`, async () => {
    const { method, values } = await calibrate(await network(), SAMPLES, { ...options, compatible: true });
    assert.is(method, options.method);
    const found = Object.entries(values).map(([name, { lowest, highest }]) => [name, [lowest, highest]]);
    assert.equal(Object.fromEntries(found), ranges);
  });

const numbers = (sample: { readonly x: TensorValue }) => sample.x.data as Float32Array;

test('the whole range, around 0 too', async () => {
  const all = SAMPLES.flatMap((sample) => [...numbers(sample)]);
  const [lowest, highest] = [Math.min(...all), Math.max(...all)];
  const model = await network();
  assert.equal((await calibrate(model, SAMPLES)).values.x, { lowest, highest });
  const far = Math.max(-lowest, highest);
  assert.equal((await calibrate(model, SAMPLES, { symmetric: true })).values.x, { lowest: -far, highest: far });
});

test('averages of samples, all alike or moving', async () => {
  const least = SAMPLES.map((sample) => Math.min(...numbers(sample))) as [number, number, number];
  const model = await network();
  const mean = (await calibrate(model, SAMPLES, { method: 'average' })).values.x?.lowest ?? Number.NaN;
  assert.ok(Math.abs(mean - (least[0] + least[1] + least[2]) / 3) < 1e-9);
  const moving = (await calibrate(model, SAMPLES, { method: 'average', averaging: 0.1 })).values.x?.lowest;
  const second = least[0] + 0.1 * (least[1] - least[0]);
  assert.is(moving, second + 0.1 * (least[2] - second));
});

/** What 8 bits between two ends err by, in the mean square. */
function error({ lowest, highest }: { readonly lowest: number; readonly highest: number }): number {
  const step = (Math.max(highest, 0) - Math.min(lowest, 0)) / 255;
  const low = Math.round(Math.min(lowest, 0) / step);
  const all = SAMPLES.flatMap((sample) => [...numbers(sample)]);
  const errors = all.map((x) => x - Math.min(Math.max(Math.round(x / step), low), low + 255) * step);
  return errors.reduce((sum, e) => sum + e * e, 0) / all.length;
}

test('mean squared error is the least of all methods', async () => {
  const model = await network();
  const errors: Record<string, number> = {};
  for (const method of ['minmax', 'average', 'entropy', 'percentile', 'mse'] as const)
    errors[method] = error((await calibrate(model, SAMPLES, { method })).values.x as Ranges['values'][string]);
  const { mse = Number.NaN, ...others } = errors;
  assert.ok(
    Object.values(others).every((other) => mse <= other * 1.001),
    JSON.stringify(errors),
  );
});

test('entropy chooses among ranges unless it is told otherwise', async () => {
  const model = await network();
  const [ours, theirs] = [{}, { compatible: true }].map((more) =>
    calibrate(model, SAMPLES, { method: 'entropy', ...more }),
  );
  const all = SAMPLES.flatMap((sample) => [...numbers(sample)]);
  const highest = Math.max(...all);
  assert.is((await theirs)?.values.x?.highest, highest);
  assert.ok(((await ours)?.values.x?.highest ?? highest) < highest * 0.99);
});

test('percentiles end with the right edge of a bin: all is in 100', async () => {
  const options = { method: 'percentile', percentile: 100, symmetric: false } as const;
  const model = await network();
  assert.equal((await calibrate(model, SAMPLES, options)).values, (await calibrate(model, SAMPLES)).values);
});

test('nothing, NaN and constants do no harm; what is infinite has no range', async () => {
  const model = await network();
  const feed = (...values: number[]) => [{ x: tensor('float32', [values.length], Float32Array.from(values)) }];
  for (const method of ['minmax', 'average', 'entropy', 'percentile', 'mse'] as const) {
    assert.equal((await calibrate(model, feed(), { method })).values, {}, method);
    const { values } = await calibrate(model, feed(Number.NaN, 3, 3), { method });
    assert.ok(values.x && values.x.lowest <= 3 && values.x.highest <= 3, `${method} ${JSON.stringify(values)}`);
    assert.equal((await calibrate(model, feed(1, Number.NEGATIVE_INFINITY), { method })).values, {}, method);
  }
});

test('ranges go through JSON, and through the file that onnxruntime keeps', async () => {
  const ranges = await calibrate(await network(), SAMPLES, { method: 'entropy' });
  assert.equal(parseRanges(JSON.stringify(ranges)), ranges);
  assert.equal(parseRanges(toCalibrationCache(ranges)), ranges);
  const written =
    '{"CLS": "TensorsData", "data": {"x": {"lowest": {"data": [-1.5], "dtype": "float32", "CLS": "numpy.array"}, "highest": 2, "CLS": "TensorData"}}, "calibration_method": {"CLS": "CalibrationMethod", "value": "CalibrationMethod.Percentile"}}';
  assert.equal(parseRanges(written), { method: 'percentile', values: { x: { lowest: -1.5, highest: 2 } } });
});

const refusal = (what: Promise<unknown>) =>
  what.then(
    () => 'nothing',
    ({ code, message }) => `${code} ${message}`,
  );

test('sizes that change with inputs, or with what these are, do no harm from sample to sample', async () => {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', ['n']);
  const kept = b.op('Compress', [x, b.op('Greater', [x, b.constant('zero', tensor('float32', [], [0]))])]);
  b.output('y', b.op('Neg', [kept]), 'float32', ['m']);
  b.output('z', b.op('Abs', [x]), 'float32', ['n']);
  const samples = [[1, -2], [3, -4], [5, 6], [-7, -8], [9], [10, 11]].map((data) => ({
    x: tensor('float32', [data.length], data),
  }));
  for (const method of ['minmax', 'percentile'] as const) {
    const { values } = await calibrate(await loaded(b.toBytes()), samples, {
      method,
      percentile: 100,
      symmetric: false,
    });
    assert.equal(values.y, { lowest: -11, highest: -1 }, method);
    assert.equal(values.z, { lowest: 1, highest: 11 }, method);
  }
});

test('what cannot be is refused with the place', async () => {
  const model = await network();
  const read = (text: string) => refusal(new Promise((resolve) => resolve(parseRanges(text))));
  assert.match(await read('{'), /INVALID_ARGUMENT.*invalid JSON/);
  assert.match(await read('{"method":"minmax","values":{"x":{"lowest":"low","highest":1}}}'), /x\.lowest.*"low"/);
  assert.match(await read('{"method":"guess","values":{}}'), /method.*"guess"/);
  assert.match(await refusal(calibrate(model, [])), /INVALID_ARGUMENT feeds contains no samples/);
  assert.match(await refusal(calibrate(model, SAMPLES, { bins: 1.5 })), /bins: expected an integer from 2/);
  assert.match(
    await refusal(calibrate(model, SAMPLES, { percentile: 101 })),
    /percentile: expected a number from 0 to 100/,
  );
  assert.match(await refusal(calibrate(model, SAMPLES, { method: 'guess' as 'mse' })), /method: expected minmax/);
  const signal = AbortSignal.abort();
  assert.match(await refusal(calibrate(model, SAMPLES, { signal })), /ABORTED/);
});

test('samples are gone through one by one, with progress', async () => {
  const told: string[] = [];
  const feeds = {
    async *[Symbol.asyncIterator]() {
      yield* SAMPLES;
    },
  };
  const onProgress = ({ stage, done }: { stage: string; done: number }) => told.push(`${stage} ${done}`);
  await calibrate(await network(), feeds, { method: 'mse', onProgress });
  assert.equal(
    told,
    ['ranges', 'histograms'].flatMap((stage) => [0, 1, 2, 3].map((i) => `${stage} ${i}`)),
  );
});

test.run();
