// A program typed for onnxruntime-web, which must compile with its import changed. Checked, not run.
import * as ort from 'sardonyx/onnxruntime';
import defaultExport, { type Env, env, InferenceSession, Tensor, type TypedTensor } from 'sardonyx/onnxruntime';

const options: InferenceSession.SessionOptions = {
  executionProviders: ['wasm', { name: 'webgpu', preferredLayout: 'NHWC' } as const],
  graphOptimizationLevel: 'all',
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  enableCpuMemArena: true,
  enableMemPattern: true,
  executionMode: 'sequential',
  freeDimensionOverrides: { batch: 1 },
  logSeverityLevel: 2,
  preferredOutputLocation: { y: 'cpu' },
  externalData: ['weights.bin', { path: 'more.bin', data: new Blob() }],
  extra: { session: { set_denormal_as_zero: '1' } },
};

export class Classifier {
  private session?: ort.InferenceSession;

  async load(buffer: ArrayBuffer, url: string): Promise<void> {
    this.session = await ort.InferenceSession.create(url, options);
    this.session = await InferenceSession.create(buffer, 0, 16, options);
    this.session = await InferenceSession.create(new Uint8Array(buffer));
  }

  async classify(pixels: Float32Array): Promise<number[]> {
    const input: ort.TypedTensor<'float32'> = new ort.Tensor('float32', pixels, [1, 3, 224, 224]);
    const feeds: Record<string, ort.Tensor> = { [this.session?.inputNames[0] as string]: input };
    const runOptions: InferenceSession.RunOptions = { tag: 'one', terminate: false };
    const results: InferenceSession.OnnxValueMapType | undefined = await this.session?.run(feeds, ['y'], runOptions);
    const output = results?.y as ort.Tensor;
    const first: Tensor.DataType = await output.getData();
    return Array.from(output.data as Float32Array).concat(first.length, output.size, ...output.dims);
  }
}

export function tensors(): ort.Tensor[] {
  const ids: TypedTensor<'int64'> = new Tensor('int64', [1n, 2n], [1, 2]);
  const data: BigInt64Array = ids.data;
  const flags: TypedTensor<'bool'> = new Tensor([true, false]);
  const type: Tensor.Type = 'uint8';
  return [ids, flags, new Tensor(type, [1]), new Tensor(['a']), new Tensor(data, [2]), ids.reshape([2])];
}

export async function pictures(image: ImageData): Promise<string> {
  const tensor = await Tensor.fromImage(image, { tensorFormat: 'RGB', norm: { mean: 255, bias: [1, 2, 3] } });
  return tensor.toDataURL({ format: 'RGB' });
}

export function configures(): Env {
  env.wasm.numThreads = 4;
  env.wasm.proxy = true;
  env.wasm.simd = true;
  env.wasm.wasmPaths = { wasm: 'https://example.org/ort.wasm' };
  env.logLevel = 'warning';
  env.debug = true;
  defaultExport.env.webgpu.powerPreference = 'high-performance';
  return env;
}

export function refused(): void {
  // @ts-expect-error no such type
  new Tensor('float33', [1]);
  // @ts-expect-error no such level
  InferenceSession.create('model.onnx', { graphOptimizationLevel: 'most' });
  // @ts-expect-error feeds are tensors
  void new Classifier().load('model.onnx');
}
