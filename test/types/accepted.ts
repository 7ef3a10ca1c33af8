// Uses of the public interface that must compile. Checked, not run.
import {
  type DataOf,
  type ElementType,
  env,
  type Feeds,
  type Fetches,
  type HostValue,
  InferenceSession,
  type MemoryPlan,
  type OptimizationLevel,
  type Results,
  SardonyxError,
  type SessionOptions,
  type StepTiming,
  Tensor,
  type TensorValue,
  type ValueMetadata,
} from 'sardonyx';
import { float, modelBuilder, tensor } from 'sardonyx/builder';
import { cached } from 'sardonyx/cache';

const level: OptimizationLevel = 'extended';
const options: SessionOptions = {
  graphOptimizationLevel: level,
  maxRewrites: 3,
  freeDimensionOverrides: { batch: 1 },
  externalData: [{ path: 'weights.bin', data: new Uint8Array(4) }],
  enableProfiling: true,
};

export async function everySource(bytes: Uint8Array, buffer: ArrayBuffer): Promise<InferenceSession[]> {
  return [
    await InferenceSession.create(bytes),
    await InferenceSession.create(buffer, options),
    await InferenceSession.create('model.onnx', options),
    await InferenceSession.create(new URL('https://example.org/model.onnx')),
    await InferenceSession.create(buffer, 8, 100, options),
    await InferenceSession.create(new Blob([bytes.slice()]), { signal: AbortSignal.timeout(1000) }),
    await InferenceSession.create(await fetch('model.onnx'), { onProgress: ({ all }) => console.log(all.loaded) }),
    await InferenceSession.create(await cached('https://example.org/model.onnx', { integrity: 'sha256-' })),
  ];
}

export async function runs(session: InferenceSession): Promise<void> {
  const x = new Tensor('float32', new Float32Array(6), [2, 3]);
  const foreign = { type: 'int64', dims: [1], data: new BigInt64Array(1) } as const;
  const feeds: Feeds = { x, foreign, sequence: [x, x], nothing: null, map: new Map([['a', 1]]) };
  const all: Results = await session.run(feeds);
  const some: Results = await session.run({ x }, ['y']);
  const mine: Results = await session.run({ x }, { y: x, z: null });
  const values: Tensor[] = Object.values({ ...all, ...some, ...mine });
  const value: HostValue | undefined = all.y;
  if (value instanceof Tensor) {
    const { data, dims, type, size } = value;
    const shape: readonly number[] = dims;
    const element: ElementType = type;
    console.log(data.length, shape, element, size, value.reshape([size]).location, await value.getData(), values);
  }
  const wanted: Fetches | undefined = Math.random() < 0.5 ? session.outputNames : undefined;
  const perhaps: Results = await session.run({ x }, wanted);
  for (const name of session.outputNames) console.log(perhaps[name]?.dims);
  await session.run({ x }, undefined, { signal: AbortSignal.timeout(1) });
  await session.release();
}

/** Named outputs are there also where `noUncheckedIndexedAccess` doubts an index. */
export async function fetchesByName(session: InferenceSession, x: Tensor): Promise<readonly number[]> {
  const { scores, boxes } = await session.run({ x }, ['scores', 'boxes']);
  return [...scores.dims, ...boxes.dims];
}

export function narrows(x: Tensor): number | bigint | string {
  if (x.type === 'float32') return new Float32Array(x.data).length;
  if (x.type === 'int64') return (x.data[0] ?? 0n) + 1n;
  if (x.type === 'string') return x.data.join(' ');
  switch (x.type) {
    case 'bool':
    case 'uint8':
      return x.data.subarray(1).length;
    default:
      return x.data.length;
  }
}

/** A tensor of one type among those of any type, in whichever place. */
export function generic<T extends ElementType>(x: Tensor<T>, wide: (x: Tensor) => void): [T, DataOf<T>, Tensor<T>] {
  const { type, data } = x;
  wide(new Tensor('float32', [1]));
  return [type, data, x.reshape([1])];
}

export const [ofGeneric]: ['int8', Int8Array, Tensor<'int8'>] = generic(new Tensor('int8', [1]), () => {});
export const widened: Tensor = new Tensor('float32', [1]);
export const asValue: TensorValue = widened;
export const asFeed: HostValue = [new Tensor('float32', [1]), new Tensor(['a'])];

interface Inputs {
  image: 'float32';
  ids: 'int64' | 'int32';
  scale?: 'float32';
}
type Outputs = {
  scores: 'float32';
  names: 'string';
  boxes: Tensor<'float32'>[];
  mask: 'bool' | null;
  votes: ReadonlyMap<bigint, Tensor<'float32'>>;
};

class Detector {
  session: InferenceSession<Inputs, Outputs> | undefined;

  async load(): Promise<void> {
    this.session = await InferenceSession.create('model.onnx');
    this.session = await InferenceSession.create<Inputs, Outputs>('model.onnx', options);
    this.session = await InferenceSession.create<Inputs, Outputs>(new ArrayBuffer(8), 0, 8);
  }

  async detect(session: InferenceSession<Inputs, Outputs>): Promise<Float32Array> {
    const image = { type: 'float32', dims: [1, 3], data: new Float32Array(3), by: 'another library' } as const;
    const ids = new Tensor('int64', [1, 2]);
    const { scores, names, boxes, mask, votes } = await session.run({ image, ids });
    const first: string | undefined = names.data[0];
    const box: Float32Array | undefined = boxes[0]?.data;
    const bits: Uint8Array | undefined = mask?.data;
    const vote: Tensor<'float32'> | undefined = votes.get(1n);
    const some: { scores: Tensor<'float32'> } = await session.run({ image, ids, scale: scores }, ['scores']);
    const both = await session.run({ image, ids }, { scores, names: null });
    const written: Tensor<'float32'> = both.scores;
    const name: 'image' | 'ids' | 'scale' | undefined = session.inputNames[0];
    const output: keyof Outputs | undefined = session.outputMetadata[0]?.name;
    console.log(first, box, bits, vote, some, written, name, output);
    const data: Float32Array = await scores.reshape([scores.size]).getData();
    return data;
  }
}

/** Who runs any model that gives tensors takes one whose inputs and outputs are named. */
const runsAny = (session: InferenceSession, x: Tensor) => session.run({ x });
export const runsOne = (session: InferenceSession<{ x: 'float32' }, { y: 'float32' }>, x: Tensor) =>
  [runsAny(session, x), new Detector()] as const;

/** A sequence where nothing is named. */
export async function sequences(model: Uint8Array, list: Tensor<'float32'>[]): Promise<Tensor<'float32'>[]> {
  const session = await InferenceSession.create<Feeds, { list: Tensor<'float32'>[] }>(model);
  const { list: same } = await session.run({ list });
  return same;
}

/** Anything at all. */
export async function anything(model: Uint8Array): Promise<HostValue | undefined> {
  const session = await InferenceSession.create<Feeds, Record<string, HostValue>>(model);
  return (await session.run({})).y;
}

export function describes(session: InferenceSession): string[] {
  const names: readonly string[] = [...session.inputNames, ...session.outputNames];
  const inputs: readonly ValueMetadata[] = session.inputMetadata;
  const shapes = inputs.map((input) => (input.isTensor ? `${input.type}[${input.shape}]` : 'no tensor'));
  const plan: MemoryPlan | null = session.memoryPlan;
  const steps: readonly StepTiming[] = session.profile;
  return [...names, ...shapes, String(plan?.peak), ...steps.map((step) => `${step.kernel} ${step.milliseconds}`)];
}

const floats: Tensor<'float32'>[] = [
  new Tensor('float32', [1, 2]),
  new Tensor([1, 2]),
  new Tensor(new Float32Array(2), [2, 1]),
  new Tensor('float32', Float32Array.of(1)).reshape([1, 1]),
];
export const longs: Tensor<'int64'>[] = [new Tensor([1n]), new Tensor('int64', [1]), new Tensor('int64', [1n, 2])];
export const flags: Tensor<'bool'>[] = [new Tensor([true]), new Tensor('bool', [1, 0]), new Tensor('bool', [true])];
export const words: Tensor<'string'>[] = [new Tensor(['a']), new Tensor('string', ['a'] as const)];
export const bytes: Tensor<'uint8'>[] = [new Tensor(new Uint8ClampedArray(4)), new Tensor(new Uint8Array(4))];
export const halves: Tensor<'float16'>[] = [new Tensor('float16', new Uint16Array(1)), new Tensor('float16', [1.5])];
export const clamped: Tensor<'uint8'> = new Tensor('uint8', new Uint8ClampedArray(4), [4]);
export const dynamic = (type: ElementType, data: Float32Array): Tensor => new Tensor(type, data);

export function tensors(): Tensor[] {
  return [
    ...floats,
    new Tensor('float32', [1, 2]),
    new Tensor([1n, 2n]),
    new Tensor(['a', 'b'], [2]),
    new Tensor([true, false]),
    new Tensor(new Uint8ClampedArray(4), [4]),
    new Tensor('int64', [1, 2], [1, 2]),
    new Tensor('float16', new Uint16Array(2)),
  ];
}

export function fails(error: unknown): string {
  return error instanceof SardonyxError && error.code === 'MISSING_FEED' ? (error.place.value ?? '') : '';
}

export async function configures(module: WebAssembly.Module): Promise<void> {
  env.wasm.variant = 'relaxed';
  env.wasm.source = module;
  env.wasm.source = new URL('https://example.org/sardonyx.simd.wasm');
  env.wasm.source = await fetch('sardonyx.simd.wasm');
  env.wasm.source = (file) => fetch(`/kernels/${file}`);
  env.wasm.wasmPaths = { wasm: '/kernels/sardonyx.simd.wasm' };
}

export function builds(): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': 3 } });
  const x = b.input('x', 'float32', ['batch', 4]);
  const w: TensorValue<'float32'> = tensor('float32', [4, 2], new Float32Array(8));
  const y = b.op('LeakyRelu', [b.op('MatMul', [x, b.constant('w', w)])], { alpha: float(1) });
  const [values, indices] = b.node('TopK', [y, b.constant('k', tensor('int64', [1], [1n]))], {}, { outputs: 2 });
  b.output('values', values);
  b.output('indices', indices, 'int64', ['batch', 1]);
  return b.toBytes();
}
