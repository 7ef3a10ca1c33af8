import * as assert from 'uvu/assert';
import { type ErrorCode, SardonyxError } from '../../../src/base/errors.js';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { type Feeds, Tensor, type TensorValue } from '../../../src/index.js';
import { expectRejection } from '../../expect-error.js';
import { f32, i64 } from '../../values.js';
import type { Check, Session } from '../contract.js';
import * as models from './models.js';
import { a, allShown, b, shown, stillSums } from './values.js';
import { problemOf, refusalOf, trap, WRONG } from './wrong-values.js';

const half = { type: 'float32', dims: [1, 2], data: Float32Array.of(1) } as TensorValue;

const handedOver = () => {
  const tensor = f32([1, 2], [1, 2]);
  structuredClone(tensor.data, { transfer: [(tensor.data as Float32Array<ArrayBuffer>).buffer] });
  return tensor;
};

const later = <T>(value: T) => Promise.resolve(value);

const disposed = () => {
  const tensor = new Tensor('float32', [1, 2], [1, 2]);
  tensor.dispose();
  return tensor;
};

/** What is fed to models.sum in place of feeds, or fetched from it. */
const OF_SUM: Readonly<Record<string, readonly [ErrorCode, RegExp, feeds: unknown, fetches?: unknown]>> = {
  'no feeds': ['INVALID_ARGUMENT', /feeds must be an object of values by input name.*undefined/, undefined],
  'null as feeds': ['INVALID_ARGUMENT', /feeds must be an object of values by input name.*null/, null],
  'a number as feeds': ['INVALID_ARGUMENT', /feeds must be an object of values by input name.*5/, 5],
  'a list as feeds': ['INVALID_ARGUMENT', /feeds must be an object of values by input name.*array/, [a, b]],
  'a tensor as feeds': ['INVALID_ARGUMENT', /feeds must be an object of values by input name.*a tensor/, a],
  'empty feeds': ['MISSING_FEED', /value "a": float32\[n,2\] is not fed; fed: nothing/, {}],
  'a feed left out': ['MISSING_FEED', /value "a": float32\[n,2\] is not fed; fed: "b"/, { b }],
  'an undefined feed': ['MISSING_FEED', /value "a": float32\[n,2\] is not fed/, { a: undefined, b }],
  'an unknown feed': ['UNKNOWN_FEED', /value "c": .* its inputs are "a" \(float32\[n,2\]\)/, { a, b, c: a }],
  'a null feed': ['INVALID_TYPE', /value "a": expected a float32\[n,2\] tensor, got null/, { a: null, b }],
  'a number as feed': ['INVALID_TYPE', /value "a": expected a float32/, { a: 1, b }],
  'a list of numbers as feed': ['INVALID_TYPE', /value "a": expected a float32/, { a: [1, 2], b }],
  'an array as feed': ['INVALID_TYPE', /value "a": expected a float32/, { a: Float32Array.of(1, 2), b }],
  'a list of tensors as feed': ['INVALID_TYPE', /value "a": expected a float32/, { a: [a], b }],
  'a map as feed': ['INVALID_TYPE', /value "a": expected a float32/, { a: new Map([['x', 1]]), b }],
  'a function as feed': ['INVALID_TYPE', /value "a"/, { a: () => a, b }],
  'a symbol as feed': ['INVALID_TYPE', /value "a"/, { a: Symbol('a'), b }],
  'an object without a prototype as feed': ['INVALID_TYPE', /value "a": expected a/, { a: Object.create(null), b }],
  'a feed that is trapped': ['INVALID_TYPE', /value "a"/, { a: new Proxy(new Map(), { getPrototypeOf: trap }), b }],
  'a feed of another type': [
    'INVALID_TYPE',
    /value "a": expected float32\[n,2\], got int64\[1,2\]/,
    { a: i64([1, 2], [1, 2]), b },
  ],
  'a feed of an unknown type': ['INVALID_TYPE', /value "a"/, { a: { ...a, type: 'float31' }, b }],
  'a feed without data': ['INVALID_TYPE', /value "a"/, { a: { type: 'float32', dims: [1, 2] }, b }],
  'data of another type': [
    'INVALID_TYPE',
    /value "a": float32 needs Float32Array; got Float64Array: pass Float32Array\.from\(data\)/,
    { a: { ...a, data: Float64Array.of(1, 2) }, b },
  ],
  'a misnamed feed': ['UNKNOWN_FEED', /value "as": .* did you mean "a"\?/, { as: a, b }],
  'a promise of feeds': ['INVALID_ARGUMENT', /feeds must be .*got a Promise: did you forget await\?/, later({ a, b })],
  'a promise as feed': ['INVALID_TYPE', /value "a": .*got a Promise: did you forget await\?/, { a: later(a), b }],
  'a promise as data': [
    'INVALID_TYPE',
    /value "a": float32 needs Float32Array; got a Promise: did you forget await\?/,
    { a: { ...a, data: later(a.data) }, b },
  ],
  'a promise of fetches': ['INVALID_ARGUMENT', /got a Promise: did you forget await\?/, { a, b }, later(['y'])],
  'data in a DataView': [
    'INVALID_TYPE',
    /value "a".*DataView/,
    { a: { ...a, data: new DataView(new ArrayBuffer(8)) }, b },
  ],
  'too few data': ['INVALID_SHAPE', /value "a".*holds 2 entries, the data has 1/, { a: half, b }],
  'data that are gone': ['INVALID_SHAPE', /value "a".*holds 2 entries, the data has 0/, { a: handedOver(), b }],
  'a tensor that is disposed of': ['RELEASED', /value "a".*disposed/, { a: disposed(), b }],
  'another rank': ['INVALID_SHAPE', /value "a": expected dims \[n,2\], got \[2\]/, { a: f32([2], [1, 2]), b }],
  'another size': ['INVALID_SHAPE', /value "a": expected dims \[n,2\], got \[1,3\]/, { a: f32([1, 3], [1, 2, 3]), b }],
  'negative dims': ['INVALID_SHAPE', /value "a".*integers/, { a: { ...a, dims: [-1, -2] }, b }],
  'fractional dims': ['INVALID_SHAPE', /value "a".*integers/, { a: { ...a, dims: [0.5, 4] }, b }],
  'dims that are no list': ['INVALID_SHAPE', /value "a".*integers/, { a: { ...a, dims: 2 }, b }],
  'dims in a typed array': [
    'INVALID_SHAPE',
    /value "a".*dims must be an array/,
    { a: { ...a, dims: Int32Array.of(1, 2) }, b },
  ],
  'sizes that overflow': ['INVALID_SHAPE', /value "a".*the data has 2/, { a: { ...a, dims: [2 ** 52, 2] }, b }],
  'an unknown fetch': ['UNKNOWN_OUTPUT', /value "w": .* its outputs are "y", "z"/, { a, b }, ['w']],
  'an unknown fetch among others': ['UNKNOWN_OUTPUT', /value "w"/, { a, b }, ['y', 'w']],
  'a fetch that is no name': ['INVALID_ARGUMENT', /fetches must be names of outputs, "y", "z"/, { a, b }, [7]],
  'an unknown place': ['UNKNOWN_OUTPUT', /value "w": .* its outputs are "y", "z"/, { a, b }, { w: null, y: null }],
  'a place of other dims': [
    'INVALID_SHAPE',
    /value "y": the output is float32\[1,2\] and does not fit into the given float32\[2,1\]/,
    { a, b },
    { y: new Tensor('float32', [0, 0], [2, 1]) },
  ],
  'a place of another type': [
    'INVALID_SHAPE',
    /value "y": the output is float32\[1,2\] and does not fit into the given int32\[1,2\]/,
    { a, b },
    { y: new Tensor('int32', [0, 0], [1, 2]) },
  ],
  'a place of another size': ['INVALID_SHAPE', /"y".*does not fit/, { a, b }, { y: new Tensor('float32', [0]) }],
  'a place for numbers that has none': [
    'INVALID_TYPE',
    /value "y": expected a numeric tensor or null/,
    { a, b },
    { y: 5 },
  ],
};

async function refused(code: ErrorCode, message: RegExp, session: Session, feeds: unknown, fetches: unknown) {
  await expectRejection(code, message, session.run(feeds as Feeds, fetches as never));
}

const ofSum = Object.entries(OF_SUM).map(([title, [code, message, feeds, fetches]]): [string, Check] => [
  `${title}: refused, and the next run works`,
  async ({ open }) => {
    const session = await open(models.sum);
    for (let round = 0; round < 2; round++) {
      await refused(code, message, session, feeds, fetches);
      await stillSums(session);
    }
  },
]);

type Run = (...given: unknown[]) => Promise<unknown>;

const OPTIONS = ['undefined', 'null', '{}', 'a date'];

/** Where anything may stand in a call of `run`, and what is taken there. */
const PLACES: Readonly<
  Record<string, readonly [call: (run: Run, wrong: unknown) => unknown, taken?: readonly string[]]>
> = {
  'run(…)': [(run, w) => run(w)],
  'run({ x: … })': [(run, w) => run({ x: w })],
  'run({ x: { …data } })': [(run, w) => run({ x: { type: 'float32', dims: [1], data: w } })],
  'run({ x: { …dims } })': [(run, w) => run({ x: { ...x, dims: w } })],
  'run({ x: { …type } })': [(run, w) => run({ x: { ...x, type: w } })],
  'run({ x }, …)': [(run, w) => run({ x }, w), [...OPTIONS, '[]']],
  'run({ x }, […])': [(run, w) => run({ x }, [w])],
  'run({ x }, { y: … })': [(run, w) => run({ x }, { y: w }), ['undefined', 'null']],
  "run({ x }, ['y'], …)": [(run, w) => run({ x }, ['y'], w), OPTIONS],
  'run({ x }, { signal: … })': [(run, w) => run({ x }, { signal: w }), ['undefined', 'null']],
  'run({ x }, { limits: … })': [(run, w) => run({ x }, { limits: w }), OPTIONS],
  'run({ x }, { capture: … })': [(run, w) => run({ x }, { capture: w }), ['undefined', '[]']],
  'run({ x }, { fetches: … })': [(run, w) => run({ x }, { fetches: w }), ['undefined', 'null', '[]']],
};
const x = f32([1], [1]);

const anywhere = Object.entries(PLACES).map(([place, [call, taken = []]]): [string, Check] => [
  `anything in ${place}`,
  async ({ open }) => {
    const session = await open(models.negation);
    const problems: string[] = [];
    for (const [label, wrong] of Object.entries(WRONG)) {
      const error = await refusalOf(() => call(session.run.bind(session) as Run, wrong));
      const problem = error === undefined ? !taken.includes(label) && 'is taken' : problemOf(error);
      if (problem) problems.push(`${label}: ${problem}`);
      else if (error && taken.includes(label)) problems.push(`${label} is refused: ${(error as Error).message}`);
    }
    assert.equal(problems, [], problems.join('\n'));
    assert.is(shown((await session.run({ x })).y), 'float32[1] -1');
  },
]);

/** Answers so often with the first, then with the second. */
function changing(property: 'type' | 'dims' | 'data', looks: number, later: unknown): TensorValue {
  let left = looks;
  return Object.defineProperty({ ...a }, property, { get: () => (left-- > 0 ? a[property] : later) });
}

/** What is refused, and how: code and message name the place, and the session goes on. */
export const REFUSALS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(ofSum),
  ...Object.fromEntries(anywhere),
  async 'before its first run, a session refuses as after it'({ create }) {
    const session = await create(models.sum());
    for (const [code, message, feeds, fetches] of Object.values(OF_SUM))
      if (!fetches || Array.isArray(fetches)) await refused(code, message, session, feeds, fetches);
    await stillSums(session);
    await session.release();
  },
  async 'errors say their place, and are errors of this package'({ open }) {
    const error = await (await open(models.sum)).run({ a: f32([1, 3], [1, 2, 3]), b }).catch((reason) => reason);
    assert.instance(error, SardonyxError);
    const { code, complaint, place, message } = error as SardonyxError;
    assert.equal([code, place], ['INVALID_SHAPE', { value: 'a' }]);
    assert.match(complaint, /^expected dims \[n,2\], got \[1,3\]: axis 1 must be 2/);
    assert.is(message, `value "a": ${complaint}`);
  },
  async 'a tensor that is refused as a place stays as it was'({ open }) {
    const session = await open(models.sum);
    for (const mine of [new Tensor('float32', [7, 8], [2, 1]), new Tensor('int32', [7, 8], [1, 2])]) {
      await refused('INVALID_SHAPE', /"y"/, session, { a, b }, { y: mine });
      assert.equal([...mine.data], [7, 8]);
    }
    const strings = { type: 'string', dims: [2], data: ['', ''] } as const;
    const untouched = await open(models.untouched);
    const given = { x: f32([1], [1]) };
    await refused('INVALID_TYPE', /value "words": expected a numeric tensor or null/, untouched, given, {
      words: strings,
    });
    const numbers = new Tensor('float32', [0, 0]);
    await refused('INVALID_TYPE', /value "words": is not a numeric tensor/, untouched, given, { words: numbers });
  },
  async 'a tensor that changes its mind is read once, or refused'({ open }) {
    const session = await open(models.sum);
    for (const [property, later] of Object.entries({ type: 'int64', dims: [7], data: new Float32Array(99) }))
      for (let looks = 0; looks < 8; looks++) {
        const fed = changing(property as 'type', looks, later);
        const outcome = await session.run({ a: fed, b }).catch((error: unknown) => error);
        const at = `${property} after ${looks} looks`;
        if (outcome instanceof SardonyxError) assert.match(outcome.code, /^INVALID_(TYPE|SHAPE)$/, at);
        else assert.is(shown((outcome as Feeds).y), 'float32[1,2] 11 22', at);
        await stillSums(session);
      }
  },
  async 'data that are taken away during a run fail that run at most'({ open }) {
    const session = await open(models.found);
    for (const options of [{}, { signal: new AbortController().signal }]) {
      const x = f32([3], [1, 0, 2]);
      const running = session.run({ x }, options).catch((error: unknown) => error);
      structuredClone(0, { transfer: [(x.data as Float32Array<ArrayBuffer>).buffer] });
      const outcome = await running;
      if (outcome instanceof SardonyxError) assert.match(outcome.code, /^INVALID_(ARGUMENT|SHAPE)$/, outcome.message);
      else assert.is(shown((outcome as Feeds).y), 'float32[2] 1 2');
      assert.is(shown((await session.run({ x: f32([3], [1, 0, 2]) })).y), 'float32[2] 1 2');
    }
  },
  async 'elements of sequences, strings and entries of maps are checked'({ open }) {
    const session = await open(models.everyKind);
    const good: Feeds = { list: [a], maybe: null, counts: new Map([['cat', 1]]), scores: f32([1, 2], [0, 1]) };
    const bad: readonly (readonly [Record<string, unknown>, RegExp])[] = [
      [{ list: a }, /value "list": expected seq\(float32\[…\]\), got a tensor/],
      [{ list: null }, /value "list"/],
      [{ list: [a, null] }, /value "list"/],
      [{ list: [i64([1], [1])] }, /value "list".*int64/],
      [{ list: [half] }, /value "list".*holds 2/],
      [{ maybe: [a] }, /value "maybe"/],
      [{ maybe: i64([1], [1]) }, /value "maybe".*int64/],
      [{ counts: { cat: 1 } }, /value "counts"/],
      [{ counts: new Map([[1, 1]]) }, /value "counts".*the key 1/],
      [{ counts: new Map([['cat', 'x']]) }, /value "counts".*"x" at "cat"/],
      [{ counts: null }, /value "counts"/],
    ];
    for (const [feeds, message] of bad) {
      const error = await session.run({ ...good, ...feeds } as Feeds).then(
        () => assert.unreachable(`${Object.keys(feeds)} ${message} is taken`),
        (reason) => reason,
      );
      assert.match(`${error.code}: ${error.message}`, /^INVALID_(TYPE|SHAPE)/);
      assert.match(error.message, message);
      assert.is(allShown(await session.run(good)).vector, 'float32[1,2] 1 0');
    }
    for (const data of [['a', null], ['a', 1], new Array(2)]) {
      const string = { type: 'string', dims: [2], data } as unknown as TensorValue;
      const message = /value "list".*data of string must be strings: data\[\d\]/;
      await expectRejection('INVALID_TYPE', message, session.run({ ...good, list: [string] }));
    }
  },
  async 'what only looks like a signal is refused before it is listened to'({ open }) {
    const session = await open(models.sum);
    const deaf = { aborted: false, addEventListener() {} };
    const trapped = Object.defineProperty({ ...deaf, removeEventListener() {} }, 'aborted', { get: trap });
    for (const signal of [deaf, trapped, new AbortController(), new EventTarget()])
      await expectRejection('INVALID_ARGUMENT', /signal/, session.run({ a, b }, { signal: signal as never }));
    await stillSums(session);
  },
  async 'a symbol has one size'({ open }) {
    const session = await open(models.product);
    const run = (p: number) => session.run({ q: f32([1, 2], [1, 2]), p: f32([p, 1], new Array<number>(p).fill(3)) });
    await expectRejection('INVALID_SHAPE', /value "p".* make "n" 3, which is 2 in "q"/, run(3));
    assert.is(shown((await run(2)).y), 'float32[1,1] 9');
  },
  async 'a run that fails midway names its node, and the next run works'({ open }) {
    const session = await open(models.reshaped);
    const x = f32([6], [1, 2, 3, 4, 5, 6]);
    for (let round = 0; round < 2; round++) {
      await expectRejection('INVALID_SHAPE', /Reshape/, session.run({ x, shape: i64([2], [4, 2]) }));
      assert.is(shown((await session.run({ x, shape: i64([2], [2, -1]) })).y), 'float32[2,3] 1 2 3 4 5 6');
    }
  },
  async 'results beyond all memory are refused, and the next run works'({ open }) {
    const session = await open(models.spread);
    const run = (size: number) => session.run({ x: f32([1], [3]), size: i64([1], [size]) });
    for (const size of [2 ** 31, 2 ** 50]) {
      await expectRejection('OUT_OF_MEMORY', /./, run(size));
      assert.is(shown((await run(2)).y), 'float32[2] 3 3');
    }
  },
  async 'what is no model, or none that can run, is refused by create'({ create }) {
    await expectRejection('INVALID_MODEL', /not an ONNX model/, create(Uint8Array.of(1, 2, 3)));
    await expectRejection('INVALID_MODEL', /./, create(models.sum().slice(0, 40)));
    const promised = create(later(models.sum()) as unknown as Uint8Array);
    await expectRejection('INVALID_ARGUMENT', /a model must be a .*got a Promise: did you forget await\?/, promised);
    const imaginary = modelBuilder({ opset: 21 });
    const y = imaginary.op('Imaginary', [imaginary.input('x', 'float32', [1])], {}, { name: 'first' });
    imaginary.output('y', y);
    const created = create(imaginary.toBytes()).then((session) => session.run({ x: tensor('float32', [1], [0]) }));
    await expectRejection('UNSUPPORTED_OPERATOR', /Imaginary "first"/, created);
    const misspelled = modelBuilder({ opset: 21 });
    misspelled.output('y', misspelled.op('Relo', [misspelled.input('x', 'float32', [1])]));
    const meant = create(misspelled.toBytes()).then((session) => session.run({ x: tensor('float32', [1], [0]) }));
    await expectRejection('UNSUPPORTED_OPERATOR', /did you mean "Relu"\?/, meant);
  },
  async 'options of create are checked'({ create }) {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      ['fast', /options.*"fast"/],
      [later({}), /options.*got a Promise: did you forget await\?/],
      [[], /options/],
      [{ graphOptimizationLevel: 'most' }, /graphOptimizationLevel|level/],
      [{ signal: new AbortController() }, /signal must be an AbortSignal/],
      [{ limits: { bytes: 1 } }, /"bytes"/],
      [{ onProgress: () => trap() }, /onProgress failed: hands off/],
      [{ externalData: new Proxy([], { get: trap }) }, /externalData/],
      [{ externalData: { 'weights.bin': new Uint8Array(4) } }, /externalData must be a list of \{ path, data \}/],
      [{ externalData: [{ path: 'weights.bin' }] }, /externalData must be a list of \{ path, data \}/],
    ];
    for (const [options, message] of wrong)
      await expectRejection('INVALID_ARGUMENT', message, create(models.sum(), options as never));
    const session = await create(models.sum(), null as never);
    await stillSums(session);
    await session.release();
  },
};
