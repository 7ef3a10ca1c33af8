// What is asked of both runtimes: shapes and types of feeds, arguments of tensors, and the names of properties.

import { modelBuilder } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';

/** Of onnxruntime-web's interface, what is asked here. */
export interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array): Promise<Session> };
  readonly Tensor: new (...args: readonly unknown[]) => Tensor;
  readonly env: object;
}

interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<unknown>;
}

interface Session {
  readonly handler: object;
  run(feeds: object): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

type Dims = readonly (number | string)[] | undefined;

const DECLARED: readonly Dims[] = [
  undefined,
  [],
  [1],
  [2],
  ['n'],
  [1, 1],
  [1, 2],
  ['n', 1],
  ['n', 2],
  ['n', 'n'],
  ['n', 'm'],
  [1, 'n', 1],
];

const FED: readonly (readonly number[])[] = [
  [],
  [0],
  [1],
  [2],
  [0, 2],
  [1, 1],
  [1, 2],
  [2, 1],
  [2, 2],
  [1, 1, 1],
  [1, 2, 1],
];

const TYPES: readonly ElementType[] = [
  'float32',
  'float64',
  'float16',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'bool',
  'string',
];

/** y is x. */
function model(type: ElementType, dims: Dims): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', type, dims);
  b.output('y', b.op('Identity', [x]), type);
  return b.toBytes();
}

const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
} as const;

/** 1, 0, 1, 0 …, which every type has. */
function dataOf(type: ElementType, length: number): unknown {
  const bits = Array.from({ length }, (_, i) => (i + 1) % 2);
  if (type === 'string') return bits.map(String);
  if (type === 'int64' || type === 'uint64') return ARRAYS[type as 'int64'].from(bits.map(BigInt));
  return ARRAYS[type as 'float32'].from(bits);
}

const count = (dims: readonly number[]) => dims.reduce((product, size) => product * size, 1);

/** What came of it: the elements, or null where it is refused. */
export type Answer = readonly string[] | null;

const elementsOf = (tensor: Tensor | undefined): readonly string[] => Array.from(tensor?.data ?? [], String);

async function fed(session: Session, runtime: Runtime, type: ElementType, dims: readonly number[]): Promise<Answer> {
  try {
    const { y } = await session.run({ x: new runtime.Tensor(type, dataOf(type, count(dims)), dims) });
    return [`[${y?.dims}]`, ...elementsOf(y)];
  } catch {
    return null;
  }
}

async function askFeeds(runtime: Runtime): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const declared of DECLARED) {
    const session = await runtime.InferenceSession.create(model('float32', declared));
    for (const dims of FED)
      answers[`${JSON.stringify(declared ?? 'any')} fed with ${JSON.stringify(dims)}`] = await fed(
        session,
        runtime,
        'float32',
        dims,
      );
    await session.release();
  }
  for (const declared of TYPES) {
    const session = await runtime.InferenceSession.create(model(declared, [2]));
    for (const type of TYPES) answers[`${declared} fed with ${type}`] = await fed(session, runtime, type, [2]);
    await session.release();
  }
  return answers;
}

const LISTS: Readonly<Record<string, unknown>> = {
  'whole numbers': [1, 0],
  fractions: [1.5, -0.25],
  'large numbers': [70_000, -1],
  bigints: [1n, 2n],
  booleans: [true, false],
  strings: ['1', '2'],
  words: ['a', 'b'],
  undefined: [undefined, 1],
  nothing: [],
  Uint8ClampedArray: Uint8ClampedArray.of(1, 2),
  Uint8Array: Uint8Array.of(1, 2),
  Int8Array: Int8Array.of(1, 2),
  Uint16Array: Uint16Array.of(1, 2),
  Int16Array: Int16Array.of(1, 2),
  Uint32Array: Uint32Array.of(1, 2),
  Int32Array: Int32Array.of(1, 2),
  BigInt64Array: BigInt64Array.of(1n, 2n),
  BigUint64Array: BigUint64Array.of(1n, 2n),
  Float32Array: Float32Array.of(1, 2),
  Float64Array: Float64Array.of(1, 2),
};

const isOfOthers = (data: unknown) => Array.isArray(data) && data.some((entry) => typeof entry !== 'string');

function made({ Tensor }: Runtime, args: readonly unknown[]): Answer {
  try {
    const tensor = new Tensor(...args);
    return [tensor.type, `[${tensor.dims}]`, ...elementsOf(tensor)];
  } catch {
    return null;
  }
}

function askTensors(runtime: Runtime): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  for (const [name, data] of Object.entries(LISTS)) {
    answers[`Tensor(${name})`] = made(runtime, [data]);
    // onnxruntime-web takes other lists as strings, and refuses them when they are fed.
    const types = isOfOthers(data) ? TYPES.filter((type) => type !== 'string') : TYPES;
    for (const type of types) answers[`Tensor(${type}, ${name})`] = made(runtime, [type, data]);
  }
  const three = Float32Array.of(1, 2, 3);
  for (const dims of [undefined, null, [], [3], [1, 3], [2], [-3], [1.5, 2], ['3'], 3])
    answers[`Tensor of three with dims ${JSON.stringify(dims)}`] = made(runtime, ['float32', three, dims]);
  return answers;
}

/** Names of what an object has, inherited or not, but for what all objects have. */
function namesOf(object: object): string[] {
  const names = new Set<string>();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name);
  return [...names].sort();
}

async function askProperties(runtime: Runtime): Promise<Record<string, readonly string[]>> {
  const session = await runtime.InferenceSession.create(model('float32', [2]));
  const x = new runtime.Tensor('float32', [1, 2], [2]);
  const { y } = await session.run({ x });
  const groups = Object.entries(runtime.env).filter(([, value]) => typeof value === 'object');
  const names: Record<string, object> = {
    session,
    'session.handler': session.handler,
    'a tensor': x,
    'an output': y as Tensor,
    env: runtime.env,
    ...Object.fromEntries(groups.map(([name, value]) => [`env.${name}`, value as object])),
  };
  const answers = Object.fromEntries(Object.entries(names).map(([name, object]) => [name, namesOf(object)]));
  await session.release();
  return answers;
}

export interface Answers {
  readonly feeds: Readonly<Record<string, Answer>>;
  readonly tensors: Readonly<Record<string, Answer>>;
  readonly properties: Readonly<Record<string, readonly string[]>>;
}

export const ask = async (runtime: Runtime): Promise<Answers> => ({
  feeds: await askFeeds(runtime),
  tensors: askTensors(runtime),
  properties: await askProperties(runtime),
});
