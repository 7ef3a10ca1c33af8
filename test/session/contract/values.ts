import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { type Feeds, Tensor } from '../../../src/index.js';
import { ELEMENTS, type ElementType, isArrayOf, isFloat } from '../../../src/tensor/element-types.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { f32, i64 } from '../../values.js';
import type { Check, Session } from '../contract.js';
import * as models from './models.js';

/** Type, dims and elements of a value, as text. */
export function shown(value: HostValue | undefined): string {
  if (value === undefined || value === null) return String(value);
  if (isTensorValue(value)) return `${value.type}[${value.dims}] ${[...value.data].join(' ')}`.trim();
  if (Array.isArray(value)) return `(${value.map(shown).join(', ')})`;
  return `{${[...(value as ReadonlyMap<unknown, unknown>)].map((entry) => entry.join(': ')).join(', ')}}`;
}

export const allShown = (results: Feeds): Record<string, string> =>
  Object.fromEntries(Object.entries(results).map(([name, value]) => [name, shown(value)]));

/** The bits of a tensor, whichever array holds them. */
const bitsOf = ({ type, dims, data }: TensorValue): readonly unknown[] => [
  type,
  [...dims],
  ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex') : [...data],
];

export const a = f32([1, 2], [1, 2]);
export const b = f32([1, 2], [10, 20]);
const SUMS = { y: 'float32[1,2] 11 22', z: 'float32[1,2] 22 44' };

/** What the session of models.sum gives for a and b. */
export async function stillSums(session: Session): Promise<void> {
  assert.equal(allShown(await session.run({ a, b })), SUMS);
}

/** Elements that the type has, in turn. */
function elementsOf(type: ElementType, count: number): readonly unknown[] {
  const all = type === 'string' ? ['ä', '', '🙂'] : isFloat(type) ? [1, 2, 0.5] : type === 'bool' ? [1, 0, 1] : [1, 0];
  return Array.from({ length: count * (ELEMENTS[type].entries ?? 1) }, (_, i) => all[i % all.length]);
}

const TYPES = Object.keys(ELEMENTS) as ElementType[];

const ofEachType = (dims: readonly number[]): Record<string, TensorValue> =>
  Object.fromEntries(TYPES.map((type) => [type, tensor(type, dims, elementsOf(type, elementCount(dims)) as never)]));

const passed = async (session: Session, feeds: Record<string, TensorValue>) => {
  const results = (await session.run(feeds)) as Record<string, TensorValue>;
  return Object.keys(feeds).map((name) => results[`${name} out`] as TensorValue);
};

const EXTREMES = {
  float32: tensor('float32', [5], [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 1e-45]),
  float64: tensor('float64', [4], [Number.NaN, Number.MAX_VALUE, -0, Number.MIN_VALUE]),
  int64: tensor('int64', [3], [2n ** 63n - 1n, -(2n ** 63n), -1n]),
  uint64: tensor('uint64', [2], [2n ** 64n - 1n, 0n]),
  int8: tensor('int8', [2], [-128, 127]),
  int4: tensor('int4', [3], [-8, 7, -1]),
  string: tensor('string', [3], ['\0', '\ud800', 'x'.repeat(70_000)]),
};

const EVERY_KIND: Feeds = {
  list: [f32([1, 2], [1, 2]), f32([1], [5]), f32([0], [])],
  maybe: null,
  counts: new Map([
    ['dog', 2],
    ['cat', 3],
  ]),
  scores: f32([2, 2], [0.25, 0.75, 1, 0]),
};

const KINDS_SHOWN = {
  same: '(float32[1,2] 1 2, float32[1] 5, float32[0])',
  perhaps: 'null',
  has: 'bool[] 0',
  vector: 'float32[1,2] 3 2',
  maps: '({cat: 0.25, dog: 0.75}, {cat: 1, dog: 0})',
};

const MANY = 1_500_001;

/** Metadata, feeds and fetches that are right, and what comes of them. */
export const VALUES: Readonly<Record<string, Check>> = {
  async 'inputs and outputs are described as the model declares them'({ open }) {
    const session = await open(models.sum);
    assert.equal(session.inputNames, ['a', 'b']);
    assert.equal(session.outputNames, ['y', 'z']);
    assert.equal(session.inputMetadata, [
      { name: 'a', isTensor: true, type: 'float32', shape: ['n', 2] },
      { name: 'b', isTensor: true, type: 'float32', shape: [1, 2] },
    ]);
    assert.equal(session.outputMetadata, [
      { name: 'y', isTensor: true, type: 'float32', shape: ['n', 2] },
      { name: 'z', isTensor: true, type: 'float32', shape: ['n', 2] },
    ]);
    const { inputMetadata } = await open(models.everyKind);
    assert.equal(
      inputMetadata.map(({ name, isTensor }) => [name, isTensor]),
      [
        ['list', false],
        ['maybe', false],
        ['counts', false],
        ['scores', true],
      ],
    );
  },
  async 'an input with a default is listed'({ open }) {
    const { inputNames, inputMetadata } = await open(models.withDefault);
    assert.equal(inputNames, ['b', 'a']);
    assert.equal(
      inputMetadata.map(({ hasDefault }) => hasDefault),
      [true, undefined],
    );
  },
  async 'an input with a default may be fed, and left out again'({ open }) {
    const session = await open(models.withDefault);
    for (let round = 0; round < 2; round++) {
      assert.is(shown((await session.run({ a })).y), 'float32[1,2] 11 22');
      assert.is(shown((await session.run({ a, b: f32([2], [5, 6]) })).y), 'float32[1,2] 6 8');
    }
  },
  async 'sizes change from run to run'({ open }) {
    const session = await open(models.sum);
    for (const rows of [3, 1, 0, 5, 3]) {
      const data = Float32Array.from({ length: 2 * rows }, (_, i) => i);
      const { y } = await session.run({ a: { type: 'float32', dims: [rows, 2], data }, b });
      const expected = Array.from(data, (x, i) => x + 10 * (1 + (i % 2)));
      assert.is(shown(y), `float32[${rows},2] ${expected.join(' ')}`.trim());
    }
  },
  async 'every element type goes in and comes out, scalars, empty tensors and odd sizes too'({ open }) {
    const session = await open(models.everyType);
    for (const dims of [[3], [], [0], [2, 0, 2], [1, 2, 3], [3]]) {
      const feeds = ofEachType(dims);
      assert.equal((await passed(session, feeds)).map(bitsOf), Object.values(feeds).map(bitsOf));
    }
  },
  async 'extremes keep their bits'({ open }) {
    const feeds = { ...ofEachType([3]), ...EXTREMES };
    const session = await open(models.everyType);
    assert.equal((await passed(session, feeds)).map(bitsOf), Object.values(feeds).map(bitsOf));
  },
  async 'data are arrays of the kind that their type has'({ open }) {
    for (const { type, data } of await passed(await open(models.everyType), ofEachType([3]))) {
      const { array } = ELEMENTS[type];
      assert.ok(array ? isArrayOf(array, data) : Array.isArray(data), type);
    }
  },
  async 'results are instances of Tensor'({ open }) {
    const { y, z } = await (await open(models.sum)).run({ a, b });
    for (const each of [y, z]) assert.instance(each, Tensor);
  },
  async 'sequences, maps and optionals go in and come out'({ open }) {
    const session = await open(models.everyKind);
    for (let round = 0; round < 2; round++) {
      assert.equal(allShown(await session.run(EVERY_KIND)), KINDS_SHOWN);
      const other = await session.run({ ...EVERY_KIND, list: [], maybe: a, counts: new Map() });
      assert.equal(allShown(other), {
        ...KINDS_SHOWN,
        same: '()',
        perhaps: 'float32[1,2] 1 2',
        has: 'bool[] 1',
        vector: 'float32[1,2] 0 0',
      });
    }
  },
  async 'a model may have no inputs, and give a scalar'({ open }) {
    const session = await open(models.withoutInputs);
    for (let round = 0; round < 2; round++) assert.equal(allShown(await session.run({})), { y: 'float32[] 3' });
  },
  async 'inputs and outputs may be called what every object has'({ open }) {
    const session = await open(models.wordsOfObjects);
    const names = models.WORDS_OF_OBJECTS;
    const nulls = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, null]));
    const some = [names, names.slice(0, 1), names.slice(2), ['y']];
    for (const fetches of [undefined, ...some, ...some.map(nulls)]) {
      const results = await session.run({ valueOf: f32([2], [1, -3]) } as never, fetches as never);
      const asked = !fetches ? names : Array.isArray(fetches) ? fetches : Object.keys(fetches);
      assert.equal(Object.keys(results).sort(), [...asked].sort());
      assert.is(Object.getPrototypeOf(results), Object.prototype);
      for (const [name, value] of Object.entries(results)) {
        const factor = names.indexOf(name) + 2;
        assert.is(shown(value), `float32[2] ${factor} ${-3 * factor}`);
      }
    }
    await expectRejection('MISSING_FEED', /value "valueOf"/, session.run({}));
  },
  async 'a feed may be any object with type, dims and data'({ open }) {
    class Foreign {
      readonly type = 'float32';
      readonly location = 'cpu';
      get dims() {
        return [1, 2];
      }
      get data() {
        return Float32Array.of(1, 2);
      }
    }
    const shared = new Float32Array(new SharedArrayBuffer(8));
    shared.set([1, 2]);
    const part = Float32Array.of(9, 1, 2, 9).subarray(1, 3);
    const of = (data: Float32Array) => ({ type: 'float32', dims: [1, 2], data }) as const;
    const session = await open(models.sum);
    for (const fed of [new Foreign(), new Tensor('float32', [1, 2], [1, 2]), of(shared), of(part)])
      assert.is(shown((await session.run({ a: fed, b })).y), SUMS.y);
  },
  async 'feeds may be inherited, have no prototype, or be one tensor twice'({ open }) {
    const session = await open(models.sum);
    for (const feeds of [Object.create({ a, b }), Object.assign(Object.create(null), { a, b })])
      assert.is(shown((await session.run(feeds)).y), SUMS.y);
    assert.is(shown((await session.run({ a, b: a })).y), 'float32[1,2] 2 4');
  },
  async 'a result may be fed'({ open }) {
    const session = await open(models.sum);
    const { y, z } = await session.run({ a, b });
    const next = await session.run({ a: y as TensorValue, b: z as TensorValue });
    assert.is(shown(next.y), 'float32[1,2] 33 66');
  },
  async 'feeds stay as they were, on their buffers'({ open }) {
    const session = await open(models.everyType);
    const feeds = ofEachType([3]);
    const before = Object.values(feeds).map(bitsOf);
    const buffers = Object.values(feeds).map(({ data }) => (data as Uint8Array).buffer);
    for (const value of await passed(session, feeds))
      if (ArrayBuffer.isView(value.data)) new Uint8Array(value.data.buffer).fill(0);
    assert.equal(Object.values(feeds).map(bitsOf), before);
    for (const [i, { data }] of Object.values(feeds).entries()) assert.is((data as Uint8Array).buffer, buffers[i]);
  },
  async 'the model’s bytes stay as they were, and may be changed once the session is there'({ create }) {
    const bytes = models.sum();
    const before = bytes.slice();
    const session = await create(bytes);
    assert.equal(bytes, before);
    bytes.fill(0);
    await stillSums(session);
    await session.release();
  },
  async 'results are the caller’s own: later runs neither change them nor see what becomes of them'({ open }) {
    const session = await open(models.untouched);
    const expected = {
      same: 'float32[2] 1 2',
      column: 'float32[2,1] 1 2',
      numbers: 'float32[2] 3 4',
      words: 'string[2] a b',
    };
    const x = f32([2], [1, 2]);
    const first = await session.run({ x });
    await session.run({ x: f32([2], [7, 8]) });
    assert.equal(allShown(first), expected);
    for (const { data } of Object.values(first)) (data as unknown[]).fill(data === first.words?.data ? '' : -1);
    assert.equal(allShown(await session.run({ x })), expected);
    assert.is(shown(x), 'float32[2] 1 2');
  },
  async 'large feeds and results, handed over or not'({ open }) {
    const session = await open(models.negation);
    const data = Float32Array.from({ length: MANY }, (_, i) => i % 4096);
    for (const transfer of [false, true]) {
      const { y } = await session.run({ x: { type: 'float32', dims: [MANY], data: data.slice() } }, { transfer });
      const found = (y as TensorValue).data as Float32Array;
      assert.is(found.length, MANY);
      assert.ok(found.every((value, i) => value === -(i % 4096)));
    }
  },
  async 'fetches are names, in any order and number'({ open }) {
    const session = await open(models.sum);
    const asked = [['z'], ['y'], ['z', 'y'], ['z', 'z'], []];
    for (const fetches of asked) {
      const found = allShown(await session.run({ a, b }, fetches));
      const wanted = Object.fromEntries(Object.entries(SUMS).filter(([name]) => fetches.includes(name)));
      assert.equal(Object.fromEntries(Object.entries(found).sort()), wanted);
    }
    await stillSums(session);
  },
  async 'fetches may be among the options, or absent'({ open }) {
    const session = await open(models.sum);
    const { signal } = new AbortController();
    const keys = async (...given: unknown[]) =>
      Object.keys(await (session.run as (...given: unknown[]) => Promise<object>)({ a, b }, ...given));
    assert.equal(await keys({ fetches: ['z'] }), ['z']);
    assert.equal(await keys({ fetches: ['z'], signal }), ['z']);
    assert.equal(await keys(undefined, { fetches: ['y'] }), ['y']);
    assert.equal(await keys(['y'], { fetches: ['z'] }), ['y']);
    for (const none of [[], [undefined], [null], [{}], [undefined, undefined], [undefined, null], [{ tag: 'x' }]])
      assert.equal(await keys(...none), ['y', 'z']);
  },
  async 'fetches may be tensors, which are written into and given back'({ open }) {
    const session = await open(models.sum);
    const mine = new Tensor('float32', [0, 0], [1, 2]);
    const { data } = mine;
    const results = await session.run({ a, b }, { y: mine, z: null });
    assert.is(results.y, mine);
    assert.is(mine.data, data);
    assert.equal(allShown(results), SUMS);
    await session.run({ a: f32([1, 2], [5, 6]), b });
    assert.is(shown(mine), SUMS.y, 'a later run leaves it alone');
    const part = { type: 'float32', dims: [1, 2], data: new Float32Array(6).subarray(2, 4) } as const;
    await session.run({ a, b }, { z: part } as never);
    assert.equal([...new Float32Array(part.data.buffer)], [0, 0, 22, 44, 0, 0]);
  },
  async 'tensors of every type of numbers are written into, constants and views of inputs too'({ open }) {
    const session = await open(models.everyType);
    const feeds = ofEachType([3]);
    const numeric = TYPES.filter((type) => type !== 'string');
    const targets = numeric.map((type) => [
      `${type} out`,
      tensor(type, [3], elementsOf(type, 3).map(() => 0) as never),
    ]);
    const results = await session.run(feeds, Object.fromEntries(targets));
    assert.equal(
      numeric.map((type) => bitsOf(results[`${type} out`] as TensorValue)),
      numeric.map((type) => bitsOf(feeds[type] as TensorValue)),
    );
    const constants = await open(models.untouched);
    const numbers = new Tensor('float32', [0, 0]);
    const column = new Tensor('float32', [0, 0], [2, 1]);
    await constants.run({ x: f32([2], [1, 2]) }, { numbers, column });
    assert.equal([shown(numbers), shown(column)], ['float32[2] 3 4', 'float32[2,1] 1 2']);
  },
  async 'large results are written into a tensor'({ open }) {
    const session = await open(models.negation);
    const target = new Tensor('float32', new Float32Array(MANY));
    const x = new Tensor('float32', new Float32Array(MANY).fill(3));
    assert.ok((await session.run({ x }, { y: target })).y === target);
    assert.ok((target.data as Float32Array).every((value) => value === -3));
  },
  async 'sizes may be fed as data'({ open }) {
    const session = await open(models.reshaped);
    const x = f32([6], [1, 2, 3, 4, 5, 6]);
    for (const [shape, dims] of [
      [[2, -1], '2,3'],
      [[6, 1], '6,1'],
      [[2, 3], '2,3'],
    ] as const)
      assert.is(shown((await session.run({ x, shape: i64([2], shape) })).y), `float32[${dims}] 1 2 3 4 5 6`);
  },
};
