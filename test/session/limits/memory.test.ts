import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { Feeds, InferenceSession, RunOptions } from '../../../src/index.js';
import { expectRejection } from '../../expect-error.js';
import { isSampled, sampled } from '../../tier.js';
import { f32, int64s } from '../../values.js';
import { modelOf, numbers, open } from '../run-model.js';
import { HOSTILE, MEBIBYTE } from './models.js';

const SHARES = { quick: 1 / 3 };
const test = sampled(suite('limits of memory'), SHARES);
const tried = HOSTILE.map(({ name }) => name).filter((name) => isSampled(name, SHARES));

interface Ending {
  readonly name: string;
  readonly ending: { readonly code: string; readonly message: string };
  readonly mebibytes: number;
}

/** Beside the 64 MiB of the limit: garbage that has not been collected, and what the engine itself takes. */
const MOST_MEBIBYTES = 400;
const DEADLINE = 540_000;

let endings: Map<string, Ending>;

test.before(() => {
  const script = fileURLToPath(new URL('child.ts', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...tried], {
    encoding: 'utf8',
    timeout: DEADLINE,
  });
  assert.is(status, 0, stderr);
  endings = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((ending: Ending) => [ending.name, ending]),
  );
});

for (const { name, where } of HOSTILE)
  test(name, () => {
    const { ending, mebibytes } = endings.get(name) as Ending;
    assert.is(ending.code, 'LIMIT', JSON.stringify(ending));
    assert.match(ending.message, where);
    assert.match(
      ending.message,
      /would take [\d,]+ bytes.* the limit of 67,108,864.*raise memoryBytes in the option limits of create/,
    );
    assert.ok(mebibytes < MOST_MEBIBYTES, `${mebibytes} MiB`);
  });

const EXPANDING = modelOf((b, x) => b.output('y', b.op('Expand', [x, b.input('sizes', 'int64', ['r'])])), [1]);

const expanded = (session: InferenceSession, count: number, options: RunOptions = {}) =>
  session.run({ x: f32([1], [2]), sizes: int64s([count]) } as Feeds, options);

test('a session goes on after a run that was refused', async () => {
  const session = await open(EXPANDING, { limits: { memoryBytes: 64 * MEBIBYTE } });
  for (let round = 0; round < 3; round++) {
    await expectRejection('LIMIT', /Expand "/, expanded(session, 10 ** 9));
    const { y } = await expanded(session, 1000);
    assert.equal(y?.data, new Float32Array(1000).fill(2));
  }
});

test('a run may have less than its session, and no more', async () => {
  const session = await open(EXPANDING, { limits: { memoryBytes: 64 * MEBIBYTE } });
  const small = { limits: { memoryBytes: 4 * MEBIBYTE } };
  await expectRejection('LIMIT', /limit of 4,194,304; .* limits of run/, expanded(session, 2 * MEBIBYTE, small));
  await expanded(session, 2 * MEBIBYTE);
  const large = { limits: { memoryBytes: 2 ** 40 } };
  await expectRejection('LIMIT', /limit of 67,108,864; .* limits of create/, expanded(session, 10 ** 9, large));
});

test('a run may have a limit where its session has none', async () => {
  const session = await open(EXPANDING);
  const limits = { memoryBytes: 4 * MEBIBYTE };
  await expectRejection('LIMIT', /Expand "/, expanded(session, 2 * MEBIBYTE, { limits }));
  const { y } = await expanded(session, 2 * MEBIBYTE);
  assert.is(y?.data.length, 2 * MEBIBYTE);
});

/** Matrices that are multiplied and added: all of it runs on kernels. */
const LAYERS = modelOf(
  (b, x) => {
    let value = x;
    for (let i = 0; i < 6; i++) value = b.op('MatMul', [value, b.constant(`w${i}`, numbers([256, 256], i + 1))]);
    b.output('y', value);
  },
  ['n', 256],
);

test('within its need a model gives the same bits, and a byte below it fails', async () => {
  const feeds = { x: numbers([300, 256], 9) };
  const free = await open(LAYERS);
  const expected = await free.run(feeds);
  const need = free.memoryPlan?.linearMemory as number;
  const copied = 4 * 300 * 256;
  const exact = await open(LAYERS, { limits: { memoryBytes: need + copied } });
  assert.equal((await exact.run(feeds)).y?.data, expected.y?.data);
  const failing = open(LAYERS, { limits: { memoryBytes: need - 1 } }).then((session) => session.run(feeds));
  await expectRejection('LIMIT', /linear memory would take/, failing);
});

test('memory that a plan, a loop or a sequence has held is given back', async () => {
  const model = modelOf(
    (b, x) => {
      const body = b.subgraph('body', (g) => {
        g.input('i', 'int64', []);
        const going = g.input('going', 'bool', []);
        const s = g.input('s', { kind: 'sequence', of: { kind: 'tensor', element: 'float32' } });
        g.output('goes_on', g.op('Identity', [going]));
        g.output('more', g.op('SequenceInsert', [s, g.op('Add', [x, x])]));
        g.output('gathered', g.op('Mul', [x, x]));
      });
      const trips = b.constant('trips', tensor('int64', [], [40n]));
      const [all, squares] = b.node('Loop', [trips, null, b.op('SequenceEmpty', [])], { body }, { outputs: 2 });
      b.output('joined', b.op('ConcatFromSequence', [all], { axis: 0 }));
      b.output('squares', squares);
    },
    ['n'],
  );
  const limited = await open(model, { limits: { memoryBytes: 12 * MEBIBYTE } });
  const free = await open(model);
  for (let run = 0; run < 10; run++) {
    const feeds = { x: numbers([5_000 + (run % 3)], run) };
    assert.equal(await limited.run(feeds), await free.run(feeds));
  }
});

test('a file of nothing but messages is refused before it is read', async () => {
  const field = (number: number, contents: Buffer) => {
    const length: number[] = [];
    for (let rest = contents.length; ; rest = Math.floor(rest / 128)) {
      length.push((rest % 128) + (rest < 128 ? 0 : 128));
      if (rest < 128) break;
    }
    return Buffer.concat([Buffer.from([8 * number + 2, ...length]), contents]);
  };
  const nodes = Buffer.alloc(2 * MEBIBYTE, Buffer.from([10, 0]));
  const numbersOfOneByte = field(5, field(7, Buffer.alloc(2 * MEBIBYTE, 1)));
  for (const graph of [nodes, numbersOfOneByte]) {
    const model = Buffer.concat([Buffer.from([8, 8]), field(7, graph), field(8, Buffer.from([16, 17]))]);
    const limits = { memoryBytes: 64 * MEBIBYTE };
    await expectRejection('LIMIT', /reading the model would take/, open(model, { limits }));
  }
});

test('limits that are none are refused', async () => {
  for (const [limits, message] of [
    [{ memory: 1 }, /"memoryBytes".*not "memory"; did you mean "memoryBytes"\?/],
    [{ memoryBytes: 0 }, /memoryBytes must be a positive number, not 0/],
    [{ milliseconds: '5' }, /milliseconds must be a positive number, not "5"/],
    [{ nodes: Number.NaN }, /nodes must be a positive number, not NaN/],
    [5, /limits of create/],
  ] as const)
    await expectRejection('INVALID_ARGUMENT', message, open(EXPANDING, { limits: limits as never }));
  const session = await open(EXPANDING);
  await expectRejection('INVALID_ARGUMENT', /not "nodes"/, expanded(session, 1, { limits: { nodes: 5 } as object }));
  await expanded(session, 1);
});

test.run();
