import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decode } from 'fast-png';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Tensor } from '../../src/index.js';
import { crc32, crc32c, masked } from '../../src/log/checksum.js';
import { createLog } from '../../src/log/index.js';
import { encodePng } from '../../src/log/png.js';
import { bucketsOf } from '../../src/log/summaries/histogram.js';
import { expectError, expectRejection } from '../expect-error.js';
import { skipped } from '../skipped.js';
import { python, readByTensorBoard } from './tensorboard.js';
import { expected, written } from './written.js';

const test = suite('logs of training');

const bytesOf = (text: string) => new TextEncoder().encode(text);
const folders: string[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'sardonyx-log-'));
  folders.push(made);
  return made;
};
test.after(() => {
  for (const made of folders) rmSync(made, { recursive: true });
});

test('checksums are those of the format', () => {
  assert.is(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assert.is(crc32(bytesOf('123456789')), 0xcbf43926);
  const record = new Uint8Array([0x1a, 0x11, ...bytesOf('CRC test, one two')]);
  assert.is(masked(crc32c(record)), 0x5794d08a);
});

test('every kind of value has the bytes that TensorBoard gives it', async () => {
  assert.equal(Buffer.from(await written()), Buffer.from(expected));
});

test('a folder gets a new file for each log, whose name readers look for', async () => {
  const runs = join(folder(), 'runs/first');
  for (const log of [createLog(runs), createLog(pathToFileURL(runs))]) {
    log.scalar('x', 1, 0);
    await log.close();
  }
  const names = readdirSync(runs);
  assert.is(names.length, 2);
  for (const name of names) assert.match(name, /^events\.out\.tfevents\.\d{10}\.sardonyx\.\w+$/);
});

test('a file grows while it is written, and is not written over', async () => {
  const path = join(folder(), 'a.tfevents');
  const log = createLog(path);
  await log.flush();
  const begun = readFileSync(path).length;
  log.scalar('x', 1, 0);
  await log.flush();
  assert.ok(readFileSync(path).length > begun);
  expectError('INVALID_ARGUMENT', /cannot write ".*a\.tfevents": EEXIST/, () => createLog(path));
  await log.close();
});

test('a stream gets the same bytes, and is closed', async () => {
  const parts: Uint8Array[] = [];
  let closed = false;
  const log = createLog(
    new WritableStream<Uint8Array>({
      write: (part) => void parts.push(part),
      close() {
        closed = true;
      },
    }),
    { clock: () => 5 },
  );
  const copy = createLog(undefined, { clock: () => 5 });
  for (const one of [log, copy]) one.text('x', 'y', 1);
  await Promise.all([log.close(), copy.close()]);
  assert.equal(Buffer.concat(parts), Buffer.from(copy.bytes()));
  assert.ok(closed);
});

/** A file of OPFS: what is written is seen once the stream is closed. */
function handle() {
  let contents = new Uint8Array();
  const createWritable = async () => {
    let draft = contents;
    let at = 0;
    return {
      async seek(place: number) {
        at = place;
      },
      async write(bytes: Uint8Array) {
        draft = Uint8Array.from([...draft.subarray(0, at), ...bytes]);
        at = draft.length;
      },
      async close() {
        contents = draft;
      },
    };
  };
  const file = { name: 'a.tfevents', createWritable, getFile: async () => ({ size: contents.length }) };
  return { file: file as unknown as FileSystemFileHandle, contents: () => contents };
}

test('a handle grows with every flush', async () => {
  const { file, contents } = handle();
  const log = createLog(file, { clock: () => 5 });
  const copy = createLog(undefined, { clock: () => 5 });
  for (let step = 0; step < 3; step++) {
    for (const one of [log, copy]) one.scalar('x', step, step);
    await Promise.all([log.flush(), copy.flush()]);
    assert.equal(Buffer.from(contents()), Buffer.from(copy.bytes()));
  }
  await log.close();
});

test('a target that fails is said by what comes after', async () => {
  const failing = () => createLog(new WritableStream({ write: () => Promise.reject(new Error('the disk is full')) }));
  const log = failing();
  log.scalar('x', 1, 0);
  await expectRejection('INVALID_ARGUMENT', /cannot write "the stream": the disk is full/, log.flush());
  expectError('INVALID_ARGUMENT', /the disk is full/, () => log.scalar('x', 1, 1));
  await expectRejection('INVALID_ARGUMENT', /the disk is full/, failing().close());
});

test('pixels become a PNG file that another decoder reads', async () => {
  for (const [channels, width, height] of [
    [1, 5, 3],
    [2, 1, 1],
    [3, 7, 2],
    [4, 64, 65],
  ] as const) {
    const data = Uint8Array.from({ length: width * height * channels }, (_, i) => (i * i * 7 + i) & 255);
    const read = decode(await encodePng({ data, width, height }));
    assert.equal([read.width, read.height, read.channels], [width, height, channels]);
    assert.equal(Uint8Array.from(read.data), data);
  }
});

test('records keep the order of the calls, those that take time as well', async () => {
  const log = createLog();
  log.image('pixels', { data: new Uint8Array(300), width: 10, height: 10 }, 0);
  log.text('after', 'x', 0);
  await log.close();
  const text = Buffer.from(log.bytes()).toString('latin1');
  assert.ok(text.indexOf('pixels') > 0 && text.indexOf('pixels') < text.indexOf('after'));
});

test('histograms count what lies from edge to edge', () => {
  const values = Float32Array.from({ length: 5000 }, (_, i) => Math.fround(Math.sin(i) * 10 ** (i % 7)));
  const { least, largest, edges, counts } = bucketsOf(values, 30);
  assert.equal([least, largest], [Math.min(...values), Math.max(...values)]);
  const lefts = [least, ...edges.slice(0, -1)];
  const slow = edges.map(
    (right, i) => values.filter((x) => x >= (lefts[i] as number) && (i === 29 ? x <= right : x < right)).length,
  );
  assert.equal(counts, slow);
  assert.is(bucketsOf([-1e308, 1e308], 4).counts.join(), '1,0,0,1');
  assert.equal(bucketsOf([], 30).counts, []);
});

test('histograms and scalars take tensors of any real type', async () => {
  const log = createLog();
  log.scalar('loss', new Tensor('float16', [1.5], []), 0);
  log.scalar('count', new Tensor('int64', [3n], [1]), 0);
  for (const tensor of [
    new Tensor('int64', [1n, 2n]),
    new Tensor('bool', [true, false]),
    new Tensor('int4', [1, -2, 3]),
    new Tensor('float32', [], [0, 3]),
    new Tensor('float64', [2], []),
  ])
    log.histogram(tensor.type, tensor, 1);
  await log.close();
  assert.ok(log.bytes().length > 500);
});

const REFUSED: readonly [string, RegExp, (log: ReturnType<typeof createLog>) => void][] = [
  ['INVALID_ARGUMENT', /tag: expected a name such as "loss\/train", got ""/, (log) => log.scalar('', 1, 0)],
  ['INVALID_ARGUMENT', /step: expected a non-negative integer, got 1\.5/, (log) => log.scalar('x', 1, 1.5)],
  ['INVALID_ARGUMENT', /step: .* got -1/, (log) => log.text('x', 'y', -1)],
  ['INVALID_ARGUMENT', /scalar: expected a number, got "1"/, (log) => log.scalar('x', '1' as never, 0)],
  [
    'INVALID_SHAPE',
    /scalar: expected one element, got 2 \(shape \[2\]\)/,
    (log) => log.scalar('x', new Tensor([1, 2]), 0),
  ],
  ['INVALID_TYPE', /got a string tensor/, (log) => log.histogram('x', new Tensor(['a']), 0)],
  ['INVALID_VALUE', /value 1 is NaN/, (log) => log.histogram('x', [1, Number.NaN], 0)],
  ['INVALID_ARGUMENT', /element 0: expected a number, got "1"/, (log) => log.histogram('x', ['1'] as never, 0)],
  ['INVALID_ARGUMENT', /buckets: expected an integer from 2/, (log) => log.histogram('x', [1], 0, { buckets: 1 })],
  ['INVALID_VALUE', /prediction 0: .* got 1\.1/, (log) => log.prCurve('x', [1], [1.1], 0)],
  ['INVALID_SHAPE', /2 labels and 1 predictions/, (log) => log.prCurve('x', [1, 0], [1], 0)],
  ['INVALID_ARGUMENT', /image: expected a PNG file/, (log) => log.image('x', new Uint8Array(100), 0)],
  ['INVALID_ARGUMENT', /image: expected/, (log) => log.image('x', { data: new Uint8Array(7), width: 2, height: 2 }, 0)],
  ['INVALID_ARGUMENT', /hyperparameter "a": .* got an array/, (log) => log.hparams({ a: [] as never })],
  ['INVALID_ARGUMENT', /hyperparameters: expected an object/, (log) => log.hparams({})],
  ['INVALID_ARGUMENT', /wallTime: expected seconds/, (log) => log.scalar('x', 1, 0, { wallTime: Number.NaN })],
  ['INVALID_ARGUMENT', /text: expected a string/, (log) => log.text('x', 1 as never, 0)],
];

for (const [code, message, call] of REFUSED)
  test(`refused: ${message.source}`, () => expectError(code as never, message, () => call(createLog())));

test('a closed log takes nothing more, and closes again', async () => {
  const log = createLog();
  await log.close();
  await log.close();
  expectError('RELEASED', /the log is closed/, () => log.scalar('x', 1, 0));
  expectError('INVALID_ARGUMENT', /target: expected a path/, () => createLog(7 as never));
});

const interpreter = python();
if (interpreter)
  test('TensorBoard reads what was logged', async () => {
    const runs = folder();
    writeFileSync(join(runs, 'events.out.tfevents.1'), await written());
    const read = readByTensorBoard(interpreter, runs);
    const given = JSON.parse(readFileSync(fileURLToPath(new URL('written/values.json', import.meta.url)), 'utf8'));
    assert.equal(
      read.scalars['loss/test'],
      given.scalars.map((value: number, i: number) => [given.steps[i], Math.fround(value)]),
    );
    assert.equal(read.histograms.weights, given.histogram.length);
    assert.equal(read.texts.note, given.text);
    assert.equal(read.images.picture, [2, 3]);
    assert.equal(read.hparams, given.hparams);
  });
else skipped('no Python with tensorboard: the bytes are compared with those that it wrote');

test.run();
