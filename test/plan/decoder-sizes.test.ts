import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphRunner } from '../../src/backends/wasm/execute/graph-runner.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { numbers } from '../session/run-model.js';
import { sampled } from '../tier.js';
import { int64s } from '../values.js';
import { outputsOf, runnerOf } from './runners.js';

const [HEADS, SIZE, ROWS] = [2, 8, 200];
const WIDTH = HEADS * SIZE;

type Builder = ReturnType<typeof modelBuilder>;

const list = (b: Builder, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });
const number = (b: Builder, value: number) => b.op('Constant', [], { value: tensor('int64', [], [BigInt(value)]) });
const float = (b: Builder, value: number) => b.op('Constant', [], { value: tensor('float32', [], [value]) });
const sizeOf = (b: Builder, value: Value, axis: number) => b.op('Gather', [b.op('Shape', [value]), number(b, axis)]);

/** What of a decoder is different: how it finds positions, and what hides keys. */
interface Kind {
  readonly start?: (b: Builder, past: Value, present: Value, ids: Value) => Value;
  readonly mask?: (b: Builder, queries: Value, total: Value) => Value;
  /** How many of 130 tokens are served by the stage of the one before, at least and at most. */
  readonly moved: readonly [number, number];
}

const hidden = (b: Builder, queries: Value, total: Value): Value => {
  const keys = b.op('Unsqueeze', [b.op('Range', [number(b, 0), total, number(b, 1)]), list(b, 0)]);
  const isLater = b.op('Greater', [keys, b.op('Unsqueeze', [queries, list(b, 1)])]);
  return b.op('Where', [isLater, float(b, -1e9), float(b, 0)]);
};

/** Keys of which a comparison with a number says something else than of others, at some tokens or at all. */
const comparedKeys =
  (op: string, other: (b: Builder, queries: Value) => Value) =>
  (b: Builder, queries: Value, total: Value): Value => {
    const keys = b.op('Unsqueeze', [b.op('Range', [number(b, 0), total, number(b, 1)]), list(b, 0)]);
    const isSo = b.op(op, [keys, other(b, b.op('Unsqueeze', [queries, list(b, 1)]))]);
    return b.op('Where', [isSo, float(b, -3), float(b, 0.5)]);
  };

const nearer = (b: Builder, queries: Value, total: Value): Value => {
  const keys = b.op('Unsqueeze', [b.op('Range', [number(b, 0), total, number(b, 1)]), list(b, 0)]);
  const distance = b.op('Sub', [keys, b.op('Unsqueeze', [queries, list(b, 1)])]);
  return b.op('Mul', [b.op('Cast', [distance], { to: 1 }), float(b, 0.125)]);
};

const KINDS: Readonly<Record<string, Kind>> = {
  'positions alone': { moved: [80, 130] },
  'a mask of sizes': { mask: hidden, moved: [80, 130] },
  'keys behind a place': { mask: comparedKeys('Greater', (b) => list(b, 90)), moved: [80, 130] },
  'keys that are not behind the last of all': {
    mask: comparedKeys('LessOrEqual', (b) => list(b, 1000)),
    moved: [80, 130],
  },
  'keys in a window': {
    mask: comparedKeys('Less', (b, queries) => b.op('Sub', [queries, list(b, 20)])),
    moved: [80, 130],
  },
  'the key of the token itself': { mask: comparedKeys('Equal', (_, queries) => queries), moved: [80, 130] },
  'a bias by distance': { mask: nearer, moved: [80, 130] },
  'positions by the size of what has grown': {
    start: (b, _, present, ids) => b.op('Sub', [sizeOf(b, present, 2), sizeOf(b, ids, 1)]),
    mask: hidden,
    moved: [80, 130],
  },
  'positions twice as far, less some': {
    start: (b, past) => b.op('Sub', [b.op('Mul', [sizeOf(b, past, 2), number(b, 2)]), number(b, 14)]),
    moved: [80, 130],
  },
  'positions that change with every second token': {
    start: (b, past) => b.op('Div', [sizeOf(b, past, 2), number(b, 2)]),
    moved: [0, 0],
  },
  'positions that begin anew': {
    start: (b, past) => b.op('Mod', [sizeOf(b, past, 2), number(b, 16)]),
    moved: [0, 40],
  },
};

/** A decoder of one layer. */
function decoder({ start, mask }: Kind, rows = ROWS): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const ids = b.input('ids', 'int64', [1, 'new']);
  const pasts = ['key', 'value'].map((part) => b.input(`past_${part}`, 'float32', [1, HEADS, 'old', SIZE]));
  const split = (name: string, x: Value) => {
    const product = b.op('MatMul', [x, b.constant(name, numbers([WIDTH, WIDTH], name.length))]);
    return b.op('Transpose', [b.op('Reshape', [product, list(b, 1, -1, HEADS, SIZE)])], { perm: [0, 2, 1, 3] });
  };
  const words = b.op('Gather', [b.constant('words', numbers([50, WIDTH], 1)), ids]);
  const presents = pasts.map((past, i) => b.op('Concat', [past, split(`k${i}`, words)], { axis: 2 })) as [Value, Value];
  const count = sizeOf(b, ids, 1);
  const first = start?.(b, pasts[0] as Value, presents[0], ids) ?? sizeOf(b, pasts[0] as Value, 2);
  const queries = b.op('Range', [first, b.op('Add', [first, count]), number(b, 1)]);
  // So large that its rows are read where they lie.
  const table = b.op('Gather', [b.constant('table', numbers([rows, 96], 2)), queries]);
  const x = b.op('Add', [words, b.op('Slice', [table, list(b, 0), list(b, WIDTH), list(b, 1)])]);
  const scores = b.op('MatMul', [split('query', x), b.op('Transpose', [presents[0]], { perm: [0, 1, 3, 2] })]);
  const shown = mask
    ? b.op('Add', [scores, mask(b, queries, b.op('Add', [sizeOf(b, pasts[0] as Value, 2), count]))])
    : scores;
  const seen = b.op('Transpose', [b.op('MatMul', [b.op('Softmax', [shown]), presents[1]])], { perm: [0, 2, 1, 3] });
  b.output('y', b.op('Add', [b.op('Reshape', [seen, list(b, 1, -1, WIDTH)]), x]));
  for (const [i, present] of presents.entries()) b.output(`present_${i}`, present);
  return b.toBytes();
}

type Pasts = readonly [TensorValue, TensorValue];

const plain = ({ type, dims, data }: TensorValue): TensorValue => ({ type, dims, data: data.slice() }) as TensorValue;
const start = (rows: number): Pasts => [numbers([1, HEADS, rows, SIZE], 3), numbers([1, HEADS, rows, SIZE], 4)];
const idsOf = (...values: number[]): TensorValue => ({ ...int64s(values), dims: [1, values.length] }) as TensorValue;

/** A conversation, by caches that stay in place. */
class Conversation {
  constructor(
    readonly runner: GraphRunner,
    public pasts: Pasts,
  ) {}

  say(...ids: number[]): TensorValue {
    const { y, present_0, present_1 } = outputsOf(this.runner, [idsOf(...ids), ...this.pasts]) as Record<
      string,
      TensorValue
    >;
    this.pasts = [present_0 as TensorValue, present_1 as TensorValue];
    return y as TensorValue;
  }
}

/** A runner whose caches stay in place, and one that plans each shape from the graph, for copies. */
async function both(model: Uint8Array, guardBytes = 0) {
  const here = await runnerOf(model, {}, guardBytes, undefined, true);
  const there = await runnerOf(model, {}, guardBytes);
  there.tracing.functions = {};
  return { runner: here.runner, planned: there.runner };
}

const test = sampled(suite('plans of decoders are moved'), { quick: 1 / 8, ci: 1 / 3 });

for (const [name, kind] of Object.entries(KINDS))
  for (const guardBytes of [0, 64])
    test(`${name}: 130 tokens are those of plans of their own, ${guardBytes} guard bytes`, async () => {
      const { runner, planned } = await both(decoder(kind, 400), guardBytes);
      const [here, there] = [new Conversation(runner, start(7)), new Conversation(planned, start(7))];
      let moved = 0;
      for (let i = 0; i < 130; i++) {
        const last = runner.lastStages[0];
        const ids = i === 40 ? [1, 2, 3] : [(i * 7) % 50];
        assert.equal(plain(here.say(...ids)), plain(there.say(...ids)), `token ${i}`);
        if (runner.lastStages[0] === last) moved++;
        there.pasts = [plain(there.pasts[0]), plain(there.pasts[1])];
      }
      for (const [i, past] of here.pasts.entries()) assert.equal(plain(past), there.pasts[i] as TensorValue);
      const [least] = kind.moved;
      assert.ok(moved >= least, `${moved} of 130 tokens by the stage of the one before`);
      runner.release();
      planned.release();
    });

test('conversations in turn, and tokens taken back', async () => {
  const { runner, planned } = await both(decoder(KINDS['a mask of sizes'] as Kind));
  const here = [start(9), start(30)].map((pasts) => new Conversation(runner, pasts));
  const there = [start(9), start(30)].map((pasts) => new Conversation(planned, pasts));
  const before: [Pasts, Pasts][] = [];
  for (let i = 0; i < 120; i++) {
    const of = Math.floor(i / 20) % 2;
    const [a, b] = [here[of] as Conversation, there[of] as Conversation];
    if (i % 20 === 12) [a.pasts, b.pasts] = before[i - 7] as [Pasts, Pasts];
    before.push([a.pasts, b.pasts]);
    assert.equal(plain(a.say(i % 50)), plain(b.say(i % 50)), `token ${i}`);
    b.pasts = [plain(b.pasts[0]), plain(b.pasts[1])];
  }
});

test('a position that the table has not is told when it comes, and what fits goes on', async () => {
  const { runner } = await both(decoder(KINDS['positions alone'] as Kind, 50));
  const here = new Conversation(runner, start(9));
  for (let i = 9; i < 50; i++) here.say(i);
  const { pasts } = here;
  assert.throws(
    () => here.say(1),
    ({ message }: Error) => message.includes('50'),
  );
  here.pasts = [plain(pasts[0]), plain(pasts[1])];
  assert.throws(() => here.say(1));
  here.pasts = start(20);
  assert.ok(here.say(1));
});

test('memory is given back', async () => {
  const left = async (tokens: number) => {
    const { runner, engine, arena } = await runnerOf(decoder(KINDS['a mask of sizes'] as Kind), {}, 0, 60_000, true);
    const here = new Conversation(runner, start(9));
    for (let i = 0; i < tokens; i++) here.say(i % 50);
    runner.release();
    for (const past of here.pasts) void past.data;
    return engine.regions.bytes - Math.ceil(arena.capacity / 64) * 64;
  };
  assert.ok((await left(120)) - (await left(1)) < 64 << 10);
});

test.run();
