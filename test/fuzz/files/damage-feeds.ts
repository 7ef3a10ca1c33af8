import { ELEMENTS } from '../../../src/tensor/element-types.js';
import { emptyData } from '../../../src/tensor/empty-data.js';
import { isTensorValue, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { ELEMENT_TYPES, FLOATS, INTEGERS, STRINGS } from './odd.js';
import { oddTensor, oddValues } from './odd-tensors.js';
import type { Random } from './random.js';

/** The arguments of a run, of any type; `during` is done while it goes on, `outputs` are what a good run gives. */
export interface Call {
  feeds: unknown;
  second?: unknown;
  third?: unknown;
  during: (() => void)[];
  readonly outputs: Readonly<Record<string, unknown>>;
}

export type FeedDamage = (call: Call, random: Random) => void;

type Loose = Record<string, unknown>;

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

/** Any of the feeds, as a loose object with its name. */
function onFeed(
  damage: (feed: Loose, random: Random, place: { set(value: unknown): void }, call: Call) => void,
): FeedDamage {
  return (call, random) => {
    const { feeds } = call;
    if (!isObject(feeds)) return;
    const names = Object.keys(feeds).filter((name) => isTensorValue(feeds[name]));
    const name = random.pick(names);
    if (name === undefined) return;
    const place = {
      set(value: unknown) {
        feeds[name] = value;
      },
    };
    damage({ ...(feeds[name] as Loose) }, random, place, call);
  };
}

/** Replaces one property of a tensor. */
const onProperty = (name: 'type' | 'dims' | 'data', values: readonly ((old: unknown, random: Random) => unknown)[]) =>
  onFeed((feed, random, place) => place.set({ ...feed, [name]: random.pick(values)(feed[name], random) }));

const trap = () => {
  throw new Error('a trap');
};

const viewOn = (data: unknown, buffer: ArrayBufferLike): unknown => {
  if (!ArrayBuffer.isView(data) || data instanceof DataView) return data;
  const array = data as Uint8Array;
  new Uint8Array(buffer).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return new (data.constructor as Uint8ArrayConstructor)(buffer, 0, array.length);
};

const bytesOf = (data: unknown) => (ArrayBuffer.isView(data) ? data.byteLength : 0);

const detach = (data: unknown): void => {
  if (ArrayBuffer.isView(data) && data.buffer instanceof ArrayBuffer && data.byteLength > 0)
    structuredClone(0, { transfer: [data.buffer] });
};

type Resizable = ArrayBuffer & { resize(bytes: number): void };

const resizable = (bytes: number): Resizable =>
  new (ArrayBuffer as unknown as new (length: number, options: object) => Resizable)(bytes, {
    maxByteLength: 2 * bytes + 64,
  });

const dimsOf = (dims: unknown): number[] => (Array.isArray(dims) ? [...dims] : []);

const withDim = (dims: unknown, random: Random, size: unknown): unknown[] => {
  const changed: unknown[] = dimsOf(dims);
  changed[random.below(changed.length)] = size;
  return changed;
};

const DIMS: readonly ((old: unknown, random: Random) => unknown)[] = [
  (old, random) =>
    withDim(
      old,
      random,
      random.pick([Number.NaN, 1.5, -0, -1, '2', 2n, null, undefined, {}, [], true, Number.POSITIVE_INFINITY]),
    ),
  (old, random) => withDim(old, random, Number(random.pick(INTEGERS))),
  (old) => [...dimsOf(old), 1],
  (old) => [1, ...dimsOf(old)],
  (old) => dimsOf(old).slice(1),
  (old) => dimsOf(old).toReversed(),
  (old) => [...dimsOf(old), 0],
  (old) => Object.assign([], { length: dimsOf(old).length }),
  (old) => Object.assign([], { 0: 2, 5: 1, length: dimsOf(old).length }),
  (old) => Int32Array.from(dimsOf(old)),
  (old) => ({ ...dimsOf(old), length: dimsOf(old).length }),
  (old) => new Proxy(dimsOf(old), { get: trap }),
  (old) => {
    let looks = 0;
    return new Proxy(dimsOf(old), { get: (list, key) => (key === '0' ? ++looks : Reflect.get(list, key)) });
  },
  (old) => Object.defineProperty(dimsOf(old), 0, { get: trap }),
  (old) => new Array(100).fill(1).concat(dimsOf(old)),
  () => new Array(5000).fill(1),
  () => undefined,
  () => null,
  () => 'dims',
  () => 4,
];

const TYPES: readonly ((old: unknown, random: Random) => unknown)[] = [
  (_, random) => random.pick(ELEMENT_TYPES),
  (_, random) => random.pick(ELEMENT_TYPES),
  (_, random) => random.pick(STRINGS),
  () => undefined,
  () => 1,
  () => Symbol('float32'),
  () => ({ toString: trap }),
  () => ({ toString: () => 'float32' }),
  () => ['float32'],
];

const DATA: readonly ((old: unknown, random: Random) => unknown)[] = [
  (old, random) => (ArrayBuffer.isView(old) ? (old as Uint8Array).subarray(0, random.below(bytesOf(old))) : []),
  (old, random) => (ArrayBuffer.isView(old) ? new (old.constructor as Uint8ArrayConstructor)(random.below(99)) : ['x']),
  (old) => viewOn(old, new SharedArrayBuffer(bytesOf(old))),
  (old) => {
    const view = viewOn(old, resizable(bytesOf(old)));
    ((view as Uint8Array).buffer as Resizable).resize?.(Math.floor(bytesOf(old) / 2));
    return view;
  },
  (old) => {
    const view = viewOn(old, resizable(bytesOf(old)));
    ((view as Uint8Array).buffer as Resizable).resize?.(0);
    return view;
  },
  (old) => {
    detach(old);
    return old;
  },
  (old) => new Proxy(old as object, {}),
  (old) => new Proxy(old as object, { get: trap }),
  (old) => Array.from(old as ArrayLike<unknown>),
  (old) => Array.from(old as ArrayLike<unknown>, String),
  (old) => new DataView(new ArrayBuffer(bytesOf(old))),
  (old) => new ArrayBuffer(bytesOf(old)),
  (old) =>
    ArrayBuffer.isView(old)
      ? new (old.constructor as Uint8ArrayConstructor)(
          new ArrayBuffer(bytesOf(old) + 24),
          8,
          (old as Uint8Array).length,
        )
      : old,
  (old) => (ArrayBuffer.isView(old) ? Object.setPrototypeOf(old, Array.prototype) : old),
  (old) => (ArrayBuffer.isView(old) ? Object.defineProperty(old, 'length', { value: 1000 }) : old),
  (old) => (ArrayBuffer.isView(old) ? Object.defineProperty(old, 'byteLength', { value: 2 ** 40 }) : old),
  (old) => Object.assign([], { length: (old as unknown[])?.length }),
  (old) => Array.from(old as ArrayLike<unknown>, (_, i) => (i % 2 ? null : 'x')),
  (old) => Array.from(old as ArrayLike<unknown>, () => '\ud800x\udc00'),
  () => undefined,
  () => null,
  () => 'data',
  () => 1,
];

const NOT_TENSORS: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 1,
  () => 1n,
  () => 'x',
  () => Symbol('x'),
  () => true,
  () => [],
  () => [1, 2, 3],
  () => ({}),
  () => new Map(),
  () => new Map([['__proto__', 1]]),
  () => [null],
  () => [undefined],
  () => Object.assign([], { length: 5 }),
  () => trap,
  () => new Float32Array(4),
  () => new Date(Number.NaN),
  () => Promise.resolve(),
  () => Object.create(null),
  () => {
    const list: unknown[] = [];
    list.push(list);
    return list;
  },
  () => new Proxy({}, { get: trap, has: trap, ownKeys: trap }),
  () => new Proxy(() => {}, {}),
];

/** What stands where an option does. */
const SIGNALS: readonly (() => unknown)[] = [
  () => AbortSignal.abort(),
  () => AbortSignal.abort(new Error('enough')),
  () => AbortSignal.abort(undefined),
  () => AbortSignal.abort(0),
  () => new AbortController().signal,
  () => new AbortController(),
  () => ({ aborted: false }),
  () => ({ aborted: true, addEventListener() {} }),
  () => ({ aborted: false, addEventListener() {}, removeEventListener() {} }),
  () => ({ addEventListener: trap }),
  () => ({
    get aborted() {
      return trap();
    },
    addEventListener() {},
    removeEventListener() {},
  }),
  () => ({ aborted: 'x', addEventListener() {}, removeEventListener: 7 }),
  () => new EventTarget(),
  () => new Proxy(new AbortController().signal, {}),
  () => 'signal',
  () => 1,
  () => null,
];

const OPTIONS: readonly (() => unknown)[] = [
  () => ({ tag: 7, logSeverityLevel: 'x', extra: null }),
  () => ({ nothing: 1 }),
  () => ({ transfer: 'yes' }),
  () => ({
    get signal() {
      return trap();
    },
  }),
  () => new Proxy({}, { get: trap, has: trap, ownKeys: trap }),
  () => Object.create({ signal: AbortSignal.abort() }),
  () => JSON.parse('{"__proto__": {"signal": 1}}'),
  () => 7,
  () => 'options',
  () => [],
  () => [7],
  () => () => {},
  () => new Map(),
];

/** A place for an output, odd. */
const TARGETS: readonly ((output: TensorValue, call: Call, random: Random) => unknown)[] = [
  (output) => ({ ...output, data: emptyData(output.type, output.dims) }),
  (output, _, random) => oddTensor(random, output.type),
  (output) => ({ ...output, data: emptyData(output.type, [...output.dims, 2]) }),
  (output) => ({ ...output, data: ArrayBuffer.isView(output.data) ? (output.data as Uint8Array).subarray(1) : ['x'] }),
  (output) => ({
    ...output,
    data: viewOn(emptyData(output.type, output.dims), new SharedArrayBuffer(bytesOf(output.data))),
  }),
  (output) => {
    const data = emptyData(output.type, output.dims);
    detach(data);
    return { ...output, data };
  },
  (output) => {
    const data = viewOn(emptyData(output.type, output.dims), resizable(bytesOf(output.data))) as Uint8Array;
    (data.buffer as Resizable).resize?.(0);
    return { ...output, data };
  },
  (output, { feeds }, random) => {
    const fed = isObject(feeds) ? random.pick(Object.values(feeds).filter(isTensorValue)) : undefined;
    return fed ?? output;
  },
  (output, { feeds }) => {
    const fed = isObject(feeds) ? Object.values(feeds).find(isTensorValue) : undefined;
    const { data } = fed ?? output;
    const array = ELEMENTS[output.type].array as Uint8ArrayConstructor | undefined;
    if (!array || !ArrayBuffer.isView(data)) return output;
    const length = Math.floor(Math.max(0, data.byteLength - array.BYTES_PER_ELEMENT) / array.BYTES_PER_ELEMENT);
    return { ...output, data: new array(data.buffer as ArrayBuffer, 0, length) };
  },
  (output) => ({ data: output.data }),
  (output) => ({ ...output, data: new DataView(new ArrayBuffer(bytesOf(output.data))) }),
  () => ({ data: null }),
  () => ({}),
  () => null,
  () => undefined,
  () => 1,
  () => 'x',
  () => new Proxy({}, { get: trap }),
];

export const FEED_DAMAGES: Readonly<Record<string, FeedDamage>> = {
  'dims that lie': onProperty('dims', DIMS),
  'another type': onProperty('type', TYPES),
  'other data': onProperty('data', DATA),
  'another tensor': onFeed((feed, random, place) =>
    place.set(oddTensor(random, (feed as unknown as TensorValue).type)),
  ),
  'odd values': onFeed((feed, random, place) => {
    const { type, dims } = feed as unknown as TensorValue;
    place.set(oddValues(type, dims, random));
  }),
  'no tensor': onFeed((_, random, place) => place.set(random.pick(NOT_TENSORS)())),
  'a getter that throws': onFeed((feed, random, place) =>
    place.set(Object.defineProperty(feed, random.pick(['type', 'dims', 'data']), { get: trap })),
  ),
  'a getter that changes its mind': onFeed((feed, random, place) => {
    const name = random.pick(['type', 'dims', 'data'] as const);
    const values = [feed[name], random.pick({ type: TYPES, dims: DIMS, data: DATA }[name])(feed[name], random)];
    let looks = random.below(3);
    place.set(Object.defineProperty(feed, name, { get: () => values[looks++ < 3 ? 0 : 1] }));
  }),
  'a proxy': onFeed((feed, random, place) =>
    place.set(
      new Proxy(feed, random.pick<ProxyHandler<Loose>>([{}, { get: trap }, { has: trap }, { getPrototypeOf: trap }])),
    ),
  ),
  'data changed during the run': onFeed((feed, random, _, call) => {
    const { data } = feed;
    call.during.push(() => ArrayBuffer.isView(data) && new Uint8Array(data.buffer).fill(random.below(256)));
  }),
  'data handed over during the run': onFeed((feed, _, __, call) => {
    call.during.push(() => detach(feed.data));
  }),
  'data resized during the run': onFeed((feed, _, place, call) => {
    const data = viewOn(feed.data, resizable(bytesOf(feed.data))) as Uint8Array;
    place.set({ ...feed, data });
    call.during.push(() => (data?.buffer as Resizable | undefined)?.resize?.(0));
  }),
  'dims changed during the run': onFeed((feed, _, __, call) => {
    call.during.push(() => Array.isArray(feed.dims) && feed.dims.push(2 ** 53));
  }),
  'a feed left out': (call, random) => {
    if (isObject(call.feeds)) delete call.feeds[random.pick(Object.keys(call.feeds)) ?? ''];
  },
  'an unknown feed': (call, random) => {
    if (isObject(call.feeds)) call.feeds = { ...call.feeds, [random.pick(STRINGS)]: oddTensor(random) };
  },
  'a polluted key': (call, random) => {
    if (isObject(call.feeds))
      Object.defineProperty(call.feeds, random.pick(['__proto__', 'constructor', 'toString']), {
        value: oddTensor(random),
        enumerable: true,
      });
  },
  'feeds exchanged': (call, random) => {
    const { feeds } = call;
    if (!isObject(feeds)) return;
    const [a, b] = [random.pick(Object.keys(feeds)), random.pick(Object.keys(feeds))];
    if (a !== undefined && b !== undefined) [feeds[a], feeds[b]] = [feeds[b], feeds[a]];
  },
  'no feeds': (call, random) => {
    call.feeds = random.pick([...NOT_TENSORS, () => Object.create(isObject(call.feeds) ? call.feeds : null)])();
  },
  'feeds that are a proxy': (call, random) => {
    if (isObject(call.feeds))
      call.feeds = new Proxy(call.feeds, random.pick([{}, { get: trap }, { has: trap }, { ownKeys: trap }]));
  },
  'an element of a sequence': (call, random) => {
    if (!isObject(call.feeds)) return;
    const list = Object.values(call.feeds).find(Array.isArray);
    if (list) list[random.below(list.length)] = random.pick([...NOT_TENSORS, () => oddTensor(random)])();
  },
  'an entry of a map': (call, random) => {
    if (!isObject(call.feeds)) return;
    const map = Object.values(call.feeds).find((value) => value instanceof Map);
    if (map instanceof Map)
      map.set(
        random.pick<unknown>([...STRINGS, ...FLOATS, 1n, null]),
        random.pick<unknown>([...STRINGS, ...FLOATS, 1n, null, {}]),
      );
  },
  'a signal': (call, random) => {
    call[random.pick(['second', 'third'] as const)] = { signal: random.pick(SIGNALS)() };
  },
  'a signal during the run': (call) => {
    const controller = new AbortController();
    call.third = { signal: controller.signal };
    call.during.push(() => controller.abort());
  },
  'odd options': (call, random) => {
    call[random.pick(['second', 'third'] as const)] = random.pick(OPTIONS)();
  },
  'odd fetches': (call, random) => {
    const names = Object.keys(call.outputs);
    call.second = random.pick<unknown>([
      [...names, ...names],
      [],
      [''],
      ['__proto__'],
      [...names, 7],
      [null],
      Object.assign([], { length: 3 }),
      { [names[0] ?? '']: 1 },
      Object.create({ [names[0] ?? '']: null }),
    ]);
  },
  'a place for an output': (call, random) => {
    const found = Object.entries(call.outputs).filter(([, value]) => isTensorValue(value));
    const [name, output] = random.pick(found) ?? [];
    if (name !== undefined) call.second = { [name]: random.pick(TARGETS)(output as TensorValue, call, random) };
  },
  'all outputs in one place': (call) => {
    const [first] = Object.values(call.outputs).filter(isTensorValue);
    if (first)
      call.second = Object.fromEntries(
        Object.keys(call.outputs).map((name) => [name, { ...first, data: first.data.slice() }]),
      );
  },
};
