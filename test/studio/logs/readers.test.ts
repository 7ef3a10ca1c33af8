import { decode } from 'fast-png';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Entry } from '../../../studio/src/workers/contracts/log-entries.js';
import { expected as byPython, written } from '../../log/written.js';
import { entriesIn, expected, FILES, file, ofKind } from './logged.js';

const test = suite('readers of logs');

const read = Object.fromEntries(
  await Promise.all(FILES.map(async (name) => [name, await entriesIn(file(name), name)] as const)),
) as Readonly<Record<string, Entry[]>>;
const [torch, tuned, tensors, visualdl] = FILES.map((name) => read[name] as Entry[]) as [
  Entry[],
  Entry[],
  Entry[],
  Entry[],
];

const SCALARS: readonly [string, Entry[], string][] = [
  ['simple values', torch, 'loss'],
  ['tensors of one float', torch, 'loss/tensor'],
  ['tensors of one double', torch, 'loss/double'],
  ['tensors that say what they are once', tensors, 'loss'],
  ['tensors the other way, listed or as bytes', tensors, 'loss/otherwise'],
  ["VisualDL's values", visualdl, 'loss'],
  ["VisualDL's values of several", visualdl, 'several/one'],
];
for (const [what, entries, tag] of SCALARS)
  test(`scalars: ${what}`, () => {
    const found = ofKind(entries, 'scalar', tag);
    assert.equal(
      found.map(({ step, wall, value }) => [step, wall, Math.fround(value)]),
      expected.steps.map((step: number, i: number) => [step, expected.wall, Math.fround(expected.losses[i])]),
    );
  });

const HISTOGRAMS: readonly [string, Entry[], string][] = [
  ['buckets that reach as far as numbers go', torch, 'weights'],
  ['tensors', tensors, 'weights'],
  ['tensors the other way, listed or as bytes', tensors, 'weights/otherwise'],
  ["VisualDL's", visualdl, 'weights'],
];
for (const [what, entries, tag] of HISTOGRAMS)
  test(`histograms: ${what}`, () => {
    const found = ofKind(entries, 'histogram', tag).map(({ buckets }) => ({
      count: buckets.reduce((sum, x, i) => (i % 3 === 2 ? sum + x : sum), 0),
      least: buckets[0],
      largest: buckets.at(-2),
    }));
    const near = (a: number | undefined, b: number) => Math.abs((a as number) - b) < 1e-5 * Math.abs(b);
    assert.is(found.length, 3);
    for (const [i, { count, least, largest }] of expected.weights.entries()) {
      const bars = found[i];
      assert.ok(
        bars?.count === count && near(bars?.least, least) && near(bars?.largest, largest),
        JSON.stringify(bars),
      );
    }
  });

for (const [name, entries] of Object.entries(read).filter(([name]) => !name.includes('tuned'))) {
  test(`images and texts of ${name}`, () => {
    const [picture] = ofKind(entries, 'image', 'picture');
    const { width, height, data } = decode(picture?.files[0] as Uint8Array);
    assert.equal({ width, height, pixels: [...data] }, expected.picture);
    assert.equal(ofKind(entries, 'text', 'note')[0]?.texts, [expected.text]);
  });
}

for (const [name, entries] of Object.entries({ torch, visualdl }))
  test(`precision, recall and sounds of ${name}`, () => {
    const [curve] = ofKind(entries, 'pr', 'curve');
    for (const [axis, wanted] of [
      [curve?.x, expected.curve.recall],
      [curve?.y, expected.curve.precision],
    ])
      assert.equal(Float32Array.from(axis), Float32Array.from(wanted));
    const [sound] = ofKind(entries, 'audio', 'sound');
    assert.is(Buffer.from(sound?.sounds[0] as Uint8Array).toString('latin1', 0, 4), 'RIFF');
    assert.is(sound?.type, 'audio/wav');
  });

test('hyperparameters', () => {
  const of = (entries: Entry[]) => Object.assign({}, ...ofKind(entries, 'hparams'));
  assert.equal(of(tuned).values, expected.hparams);
  assert.equal([of(tuned).metrics, of(tuned).status], [['accuracy'], 'success']);
  assert.equal(of(tensors).values, { ...expected.hparams, bias: true });
  assert.equal(of(tensors).metrics, ['loss']);
  assert.equal([of(visualdl).values, of(visualdl).metrics], [expected.hparams, ['loss']]);
});

test('what VisualDL alone has: ROC curves, embeddings, names of runs', () => {
  const [roc] = ofKind(visualdl, 'roc');
  const rates = [roc?.x, roc?.y].map((rate) => Float32Array.from(rate ?? []));
  assert.equal(rates, [Float32Array.from(expected.curve.falseRate), Float32Array.from(expected.curve.recall)]);
  const [points] = ofKind(visualdl, 'embedding');
  assert.equal([points?.count, points?.labels.flat()], [6, expected.labels]);
  assert.equal(Float32Array.from(points?.vectors as Float32Array), Float32Array.from(expected.vectors));
  assert.is(ofKind(visualdl, 'name')[0]?.name, 'by VisualDL');
});

test('graphs are passed over, and told of', () => {
  assert.equal(
    ofKind(tensors, 'other').map(({ what }) => what),
    ['graph'],
  );
});

test('what sardonyx/log writes is read as what TensorBoard writes', async () => {
  const ours = await entriesIn((await written()) as Uint8Array<ArrayBuffer>, 'tfevents');
  assert.equal(ours, await entriesIn(new Uint8Array(byPython), 'tfevents'));
  assert.is(ours.length, 14);
});

test.run();
