import { join } from 'node:path';
import { encode } from 'fast-png';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession, Tensor } from '../../src/index.js';
import { npm } from '../npm.js';
import { shared } from '../shared-data.js';
import { exampleFolder, install } from './installed-example.js';
import { file, zooTensor } from './recipe-data.js';
import { columns } from './recipe-models.js';
import { printed, run } from './recipe-run.js';

const test = suite('recipes for photos, sentences and tables');
const recipes = exampleFolder('recipes');
const models = shared('models');

if (install(recipes)) {
  test('are right in strict TypeScript', () => {
    npm(recipes, ['run', 'check']);
  });

  test('classify a photo', async () => {
    const model = join(models, 'mobilenet_v2/model.onnx');
    const side = 256;
    const levels = Uint8Array.from({ length: 3 * side * side }, (_, i) => {
      const [x, y, c] = [Math.floor(i / 3) % side, Math.floor(i / 3 / side), i % 3];
      return Math.round(127 + 120 * Math.sin((x * (c + 1)) / 40) * Math.cos(y / (20 + 9 * c)));
    });
    const photo = file('photo.png', encode({ width: side, height: side, channels: 3, depth: 8, data: levels }));
    const labels = file('labels.txt', Array.from({ length: 1000 }, (_, i) => `class ${i}\n`).join(''));
    const scores = await scoresOf(model, centre(levels, side, 224));
    const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
    const best = [...scores.entries()].sort(([, a], [, b]) => b - a).slice(0, 5);
    assert.equal(
      await printed(recipes, 'classify.js', model, photo, labels),
      best.map(([i, score]) => `${((100 * Math.exp(score)) / sum).toFixed(1).padStart(5)} %  class ${i}`),
    );
    const { code, errors } = await run(recipes, 'classify.js', model, labels, labels);
    assert.is(code, 1);
    assert.match(errors, 'labels.txt');
  });

  test('embed sentences', async () => {
    const folder = join(models, 'bert_mini');
    const set = join(folder, 'test_data_set_1');
    const numbers = (name: string) => zooTensor(set, name).data as BigInt64Array;
    const [ids, mask, hidden] = [numbers('input_0'), numbers('input_1'), zooTensor(set, 'output_0')];
    const [count, length, width] = hidden.dims as [number, number, number];
    const lengths = Array.from({ length: count }, (_, row) =>
      [...mask.subarray(row * length, (row + 1) * length)].reduce((n, x) => n + Number(x), 0),
    );
    assert.equal(lengths, [77, 50]);
    const texts = lengths.map((n, row) =>
      [...ids.subarray(row * length, row * length + n)].map((id) => `w${id}`).join(' '),
    );
    const [a, b] = lengths.map((n, row) => unit(meanOf(hidden.data as Float32Array, row * length, n, width))) as [
      number[],
      number[],
    ];
    const tokenizer = file('tokenizer.json', JSON.stringify(words(4000)));
    const output = await printed(recipes, 'embed.js', join(folder, 'model.onnx'), tokenizer, ...texts, texts[0] ?? '');
    const [other, same] = output.map(Number.parseFloat) as [number, number];
    const expected = a.reduce((total, x, i) => total + x * (b[i] as number), 0);
    assert.ok(expected < 0.999, `${expected}`);
    assert.ok(Math.abs(other - expected) < 1e-5, `${other}, PyTorch: ${expected}`);
    assert.ok(Math.abs(same - 1) < 1e-5, `${same}`);
  });

  test('score a table from scikit-learn', async () => {
    const folder = join(models, 'iris_pipeline_trained');
    const values = (name: string) => [...zooTensor(join(folder, 'test_data_set_0'), name).data];
    const [x, labels, shares] = [values('input_0'), values('output_0'), values('output_1')];
    const rows = Array.from({ length: 150 }, (_, i) => x.slice(4 * i, 4 * i + 4));
    const header = 'sepal length,sepal width,"petal, length",petal width';
    const table = file('iris.csv', `\ufeff${[header, ...rows.map((row) => row.join(', '))].join('\r\n')}\r\n`);
    const output = await printed(recipes, 'score-table.js', join(folder, 'model.onnx'), table);
    assert.is(output.length, 150);
    for (const [i, line] of output.entries()) {
      const [label, ...found] = line.split(',');
      assert.is(label, labels[i]);
      for (const [c, share] of found.entries())
        assert.ok(Math.abs(Number(share) - Number(shares[3 * i + c])) < 1e-4, line);
    }
  });

  test('score a table with an input for each column', async () => {
    const model = file('columns.onnx', columns());
    const rows = ['age,city', '30,Rome', '30,Oslo', '60,Oslo', '19,Rome'];
    assert.equal(await printed(recipes, 'score-table.js', model, file('people.csv', rows.join('\n'))), [
      '1',
      '0',
      '1',
      '0',
    ]);
    const wrong = file('wrong.csv', 'age,city\n30,Rome\nold,Oslo\n');
    assert.match(
      (await run(recipes, 'score-table.js', model, wrong)).errors,
      'row 2, column "age": "old" is not a number',
    );
    const without = file('without.csv', 'age,town\n30,Rome\n');
    assert.match((await run(recipes, 'score-table.js', model, without)).errors, 'no column "city", only age, town');
  });
}

/** The middle of a picture as torchvision's classifiers want it, in double precision. */
function centre(levels: Uint8Array, side: number, kept: number): Float32Array {
  const [mean, std] = [
    [0.485, 0.456, 0.406],
    [0.229, 0.224, 0.225],
  ] as const;
  const edge = (side - kept) / 2;
  return Float32Array.from({ length: 3 * kept * kept }, (_, i) => {
    const [c, y, x] = [Math.floor(i / kept / kept), Math.floor(i / kept) % kept, i % kept] as [0, number, number];
    return ((levels[3 * ((y + edge) * side + x + edge) + c] as number) / 255 - mean[c]) / std[c];
  });
}

async function scoresOf(model: string, pixels: Float32Array): Promise<Float32Array> {
  const session = await InferenceSession.create(model);
  const { output } = await session.run({ input: new Tensor('float32', pixels, [1, 3, 224, 224]) });
  await session.release();
  return output?.data as Float32Array;
}

/** A tokenizer of words w0, w1 …, each its own token, and none else. */
const words = (count: number) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: 'w0',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(Array.from({ length: count }, (_, id) => [`w${id}`, id])),
  },
});

function meanOf(hidden: Float32Array, first: number, count: number, width: number): number[] {
  const mean = Array(width).fill(0);
  for (let t = 0; t < count; t++)
    for (let i = 0; i < width; i++) mean[i] += (hidden[(first + t) * width + i] as number) / count;
  return mean;
}

function unit(vector: readonly number[]): number[] {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return vector.map((x) => x / norm);
}

test.run();
