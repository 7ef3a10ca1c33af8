import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SHARES } from '../../../studio/src/workers/contracts/logs.js';
import { addPoint, type Columns, noPoints } from '../../../studio/src/workers/logs/columns.js';
import { csvOf } from '../../../studio/src/workers/logs/draw/csv.js';
import { ridgesOf } from '../../../studio/src/workers/logs/draw/histograms.js';
import { lineOf, smoothed } from '../../../studio/src/workers/logs/draw/line.js';
import { principal } from '../../../studio/src/workers/logs/draw/principal.js';
import { projected } from '../../../studio/src/workers/logs/draw/project.js';
import { tableOf } from '../../../studio/src/workers/logs/draw/table.js';
import { bucketsOf } from '../../../studio/src/workers/logs/entry.js';
import { allKept, keep, MOST_KEPT, nothingKept } from '../../../studio/src/workers/logs/kept.js';
import { embeddingIn, placeOf } from '../../../studio/src/workers/logs/tsv.js';

const test = suite('what is drawn of logs');

const columns = (points: readonly (readonly [step: number, value: number])[]): Columns => {
  const made = noPoints();
  for (const [i, [step, value]] of points.entries()) addPoint(made, step, 100 + i, value);
  return made;
};
const query = { tag: 'x', axis: 'step', smoothing: 0, buckets: 100 } as const;
const near = (a: number, b: number, tolerance = 1e-9) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));

test('smoothing is the weighted mean of what came before', () => {
  const values = Float64Array.from({ length: 60 }, (_, i) => Math.sin(i * i) + 3);
  for (const weight of [0.1, 0.6, 0.99]) {
    const means = values.map((_, n) => {
      const weights = Array.from({ length: n + 1 }, (_, i) => weight ** (n - i));
      const total = weights.reduce((sum, x) => sum + x, 0);
      return weights.reduce((sum, x, i) => sum + x * (values[i] as number), 0) / total;
    });
    for (const [i, value] of smoothed(values, weight).entries())
      assert.ok(near(value, means[i] as number), `${i}: ${value}`);
  }
});

test('smoothing passes over what is not finite', () => {
  const found = smoothed(Float64Array.of(1, Number.NaN, 1, Infinity, 1), 0.5);
  assert.equal([...found], [1, Number.NaN, 1, Infinity, 1]);
});

test('of a million points no extreme is lost, at any zoom', () => {
  const made = noPoints();
  for (let i = 0; i < 1_000_000; i++) addPoint(made, i, i, i === 654_321 ? 99 : i === 111_111 ? -99 : Math.sin(i));
  for (const range of [undefined, [600_000, 700_000], [654_000, 655_000], [654_320, 654_322]] as const) {
    const { x, lines } = tableOf({ ...query, runs: ['a'], range }, () => made);
    const [line] = lines;
    assert.ok(x.length <= 103, `${x.length}`);
    assert.is(Math.max(...(line?.largest ?? [])), 99);
    if (!range) assert.is(Math.min(...(line?.least ?? [])), -99);
    if (range?.[0] === 654_320) assert.equal([...x], [654_319, 654_320, 654_321, 654_322, 654_323]);
  }
});

test('few points are drawn where they are, lines of several runs over the same x', () => {
  const runs: Record<string, Columns> = {
    a: columns([
      [0, 1],
      [2, 3],
    ]),
    b: columns([
      [1, 5],
      [2, 7],
      [9, Infinity],
    ]),
  };
  const { x, lines, extent } = tableOf({ ...query, runs: ['a', 'b', 'missing'] }, (run) => runs[run]);
  assert.equal([...x], [0, 1, 2, 9]);
  assert.equal(
    lines.map(({ line }) => [...line]),
    [
      [1, NaN, 3, NaN],
      [NaN, 5, 7, NaN],
    ],
  );
  assert.equal(extent, [0, 9]);
  assert.equal(
    lines.map(({ points, notFinite, last }) => [points, notFinite, last]),
    [
      [2, 0, 3],
      [3, 1, Infinity],
    ],
  );
});

test('nothing at all, one point, and steps that go back', () => {
  assert.equal(tableOf({ ...query, runs: ['a'] }, () => noPoints()).x.length, 0);
  assert.equal([...tableOf({ ...query, runs: ['a'] }, () => columns([[4, 2]])).x], [4]);
  const { x, y } = lineOf(
    columns([
      [0, 1],
      [5, 2],
      [3, 3],
    ]),
    'step',
  );
  assert.equal(
    [[...x], [...y]],
    [
      [0, 3, 5],
      [1, 3, 2],
    ],
  );
  assert.equal(
    [
      ...lineOf(
        columns([
          [0, 1],
          [5, 2],
        ]),
        'relative',
      ).x,
    ],
    [0, 1],
  );
});

test('CSV quotes what has to be', async () => {
  const text = await csvOf('a,"b"', [['run', columns([[3, 0.5]])]]).text();
  assert.is(text, 'run,tag,step,wall_time,value\nrun,"a,""b""",3,100,0.5\n');
});

test('histograms in the same buckets keep what was counted, and quantiles lie where they should', () => {
  const uniform = (from: number, to: number, count: number) => {
    const edges = Array.from({ length: 11 }, (_, i) => from + ((to - from) * i) / 10);
    return bucketsOf(edges, new Array(10).fill(count / 10));
  };
  const at = (step: number, buckets: Float64Array) =>
    ({ kind: 'histogram', tag: 'w', wall: 0, step, buckets }) as const;
  const made = ridgesOf([at(0, uniform(-1, 1, 50)), at(7, uniform(0, 4, 200)), at(9, new Float64Array())], 96);
  assert.equal([[...made.steps], made.from, made.to], [[0, 7], -1, 4]);
  for (const [row, total] of [50, 200].entries()) {
    const counts = made.counts.slice(row * 96, row * 96 + 96);
    assert.ok(
      near(
        counts.reduce((sum, x) => sum + x, 0),
        total,
        1e-5,
      ),
    );
  }
  for (const [i, share] of SHARES.entries()) {
    assert.ok(near(made.quantiles[i] as number, -1 + 2 * share, 1e-6));
    assert.ok(near(made.quantiles[SHARES.length + i] as number, 4 * share, 1e-6));
  }
});

test('of values that are all the same there is a ridge, too', () => {
  const { from, to, counts } = ridgesOf(
    [{ kind: 'histogram', tag: '', wall: 0, step: 0, buckets: Float64Array.of(2, 2, 5) }],
    4,
  );
  assert.equal([from, to, [...counts]], [1.5, 2.5, [0, 0, 5, 0]]);
});

test('the principal axes are those along which points were spread', () => {
  const [size, count] = [12, 400];
  const axes = [0, 1].map((k) =>
    Array.from({ length: size }, (_, i) => Math.sqrt(2 / size) * Math.cos((Math.PI * (i + 0.5) * (k + 1)) / size)),
  );
  const along = Array.from({ length: count }, (_, i) => [10 * Math.sin(i * 1.7), 3 * Math.sin(i * 2.9 + 1)]);
  const vectors = Float32Array.from(
    along.flatMap(
      (shares) => axes[0]?.map((_, i) => 5 + shares.reduce((sum, x, k) => sum + x * (axes[k]?.[i] as number), 0)) ?? [],
    ),
  );
  const { points, shares } = principal(vectors, size, 2);
  for (const k of [0, 1]) {
    const mean = along.reduce((sum, x) => sum + (x[k] as number), 0) / count;
    const found = along.map((_, i) => points[2 * i + k] as number);
    const wanted = along.map((x) => (x[k] as number) - mean);
    const dot = found.reduce((sum, x, i) => sum + x * (wanted[i] as number), 0);
    assert.ok(Math.abs(dot) / (Math.hypot(...found) * Math.hypot(...wanted)) > 0.999, `axis ${k}`);
  }
  assert.ok((shares[0] as number) > 0.9 && near((shares[0] as number) + (shares[1] as number), 1, 1e-5));
});

test('UMAP keeps groups together; too few points are refused', async () => {
  const random = (i: number) => (Math.imul(i + 1, 2654435761) >>> 0) / 2 ** 32;
  const vectors = Float32Array.from({ length: 60 * 5 }, (_, i) => random(i) + (i < 150 ? 0 : 50));
  const embedding = { kind: 'embedding', vectors, count: 60, labels: [], headings: [] } as const;
  const { points } = await projected(embedding, 'umap');
  const centre = (from: number) =>
    [0, 1].map(
      (k) => Array.from({ length: 30 }, (_, i) => points[2 * (from + i) + k] as number).reduce((a, b) => a + b) / 30,
    );
  const [one, other] = [centre(0), centre(30)] as [[number, number], [number, number]];
  const own = (i: number) => (i < 30 ? one : other);
  const away = (i: number, to: [number, number]) =>
    Math.hypot((points[2 * i] as number) - to[0], (points[2 * i + 1] as number) - to[1]);
  for (let i = 0; i < 60; i++) assert.ok(away(i, own(i)) < away(i, i < 30 ? other : one), `${i}`);
  const few = projected({ ...embedding, vectors: vectors.slice(0, 15), count: 3 }, 'umap');
  assert.match(await few.then(() => '', String), /UMAP needs at least 4 points, and there are 3/);
});

test('what is large is kept evenly, the last always', () => {
  const kept = nothingKept<number>();
  for (let i = 0; i < 10_000; i++) keep(kept, i);
  const all = allKept(kept);
  assert.ok(all.length <= MOST_KEPT + 1 && all.length > MOST_KEPT / 2, `${all.length}`);
  assert.equal([all[0], all.at(-1)], [0, 9999]);
  const gaps = new Set(all.slice(1, -1).map((x, i) => x - (all[i] as number)));
  assert.is(gaps.size, 1);
});

test("files of TensorBoard's projector", () => {
  const found = embeddingIn('1\t2\n3\t4\n', 'name\tclass\na\t0\nb\t1\n');
  assert.equal([found?.count, [...(found?.vectors ?? [])], found?.headings], [2, [1, 2, 3, 4], ['name', 'class']]);
  assert.equal(embeddingIn('1\t2\n', 'a\n')?.labels, [['a']]);
  for (const bad of ['', '1\t2\n3\n', 'a\tb\n']) assert.is(embeddingIn(bad), undefined);
  assert.equal(placeOf('runs/a/00003/default/tensors.tsv'), { run: 'runs/a', tag: 'default', step: 3 });
  assert.equal(placeOf('words/tensors.tsv'), { run: 'words', tag: 'points', step: 0 });
});

test.run();
