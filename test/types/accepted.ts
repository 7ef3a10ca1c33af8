// Uses of the public interface that must compile. Checked, not run.
import {
  type ElementType,
  env,
  type Feeds,
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
  const value: HostValue | undefined = { ...all, ...some, ...mine }.y;
  if (value instanceof Tensor) {
    const { data, dims, type, size } = value;
    const shape: readonly number[] = dims;
    const element: ElementType = type;
    console.log(data.length, shape, element, size, value.reshape([size]).location, await value.getData());
  }
  await session.release();
}

export function describes(session: InferenceSession): string[] {
  const names: readonly string[] = [...session.inputNames, ...session.outputNames];
  const inputs: readonly ValueMetadata[] = session.inputMetadata;
  const shapes = inputs.map((input) => (input.isTensor ? `${input.type}[${input.shape}]` : 'no tensor'));
  const plan: MemoryPlan | null = session.memoryPlan;
  const steps: readonly StepTiming[] = session.profile;
  return [...names, ...shapes, String(plan?.peak), ...steps.map((step) => `${step.kernel} ${step.milliseconds}`)];
}

export function tensors(): Tensor[] {
  return [
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
  const w: TensorValue = tensor('float32', [4, 2], new Float32Array(8));
  const y = b.op('LeakyRelu', [b.op('MatMul', [x, b.constant('w', w)])], { alpha: float(1) });
  const [values, indices] = b.node('TopK', [y, b.constant('k', tensor('int64', [1], [1n]))], {}, { outputs: 2 });
  b.output('values', values);
  b.output('indices', indices, 'int64', ['batch', 1]);
  return b.toBytes();
}
