import { type Feeds, type HostValue, type InferenceSession, Tensor } from 'sardonyx';
import { imageTensor } from 'sardonyx/image';
import { generatedFeeds, readValue } from 'sardonyx/model';
import { readNpy } from 'sardonyx/tensors';
import type { SampleFiles } from '../contracts/quantize.js';

type Inputs = InferenceSession['inputMetadata'];
type SampleFile = SampleFiles['files'][number];

/** The number of random samples used without files: they show the model's size, not its accuracy. */
const RANDOM_SAMPLES = 4;

/** Feeds for a model's inputs, one per sample. Images and arrays only work for models with one input. */
export async function samplesOf(inputs: Inputs, given: SampleFiles): Promise<Feeds[]> {
  const { files } = given;
  if (files.length === 0) return Array.from({ length: RANDOM_SAMPLES }, (_, seed) => generatedFeeds(inputs, {}, seed));
  const serialized = files.filter(({ path }) => /(^|\/)input_\d+\.pb$/.test(path));
  if (serialized.length > 0) return dataSets(inputs, serialized);
  const [input, ...others] = inputs;
  if (!input || others.length > 0)
    throw new Error(`a model with ${inputs.length} inputs needs folders test_data_set_0, … that contain input_0.pb, …`);
  const tensors = await Promise.all(files.map((file) => tensorsIn(file, input, given)));
  return tensors.flat().map((tensor) => ({ [input.name]: tensor }));
}

/** The inputs in each folder, with folders in numeric order. */
async function dataSets(inputs: Inputs, files: readonly SampleFile[]): Promise<Feeds[]> {
  const sets = new Map<string, Record<string, HostValue>>();
  for (const { path, data } of files) {
    const at = Number(/input_(\d+)\.pb$/.exec(path)?.[1]);
    const input = inputs[at];
    if (!input) throw new Error(`${path}: the model has only ${inputs.length} inputs`);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const set = sets.get(folder) ?? Object.create(null);
    sets.set(folder, set);
    set[input.name] = readValue(new Uint8Array(await data.arrayBuffer()), input.isTensor ? 'tensor' : 'sequence');
  }
  return [...sets]
    .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([, feeds]) => feeds);
}

async function tensorsIn({ path, data }: SampleFile, input: Inputs[number], given: SampleFiles): Promise<Tensor[]> {
  if (!/\.npy$/.test(path)) return [await imageTensor(data, { for: input, normalize: given.normalize })];
  const { type, dims, data: all } = readNpy(new Uint8Array(await data.arrayBuffer()));
  if (!input.isTensor) throw new Error(`${path}: the input "${input.name}" is not a tensor`);
  const shape = input.shape.map((size) => (typeof size === 'number' ? size : 1));
  const count = shape.reduce((product, size) => product * size, 1);
  const total = dims.reduce((product, size) => product * size, 1);
  if (count === 0 || total % count !== 0)
    throw new Error(`${path}: ${type}[${dims}] cannot be split into inputs of shape [${shape}]`);
  const isPixels = type === 'uint8' && input.type === 'float32';
  return Array.from({ length: total / count }, (_, i) => {
    const part = (all as Float32Array).slice(i * count, (i + 1) * count);
    return isPixels ? pixels(part, given.normalize, shape) : new Tensor(type as 'float32', part, shape);
  });
}

/** Bytes for a float input are treated as pixels. */
function pixels(bytes: ArrayLike<number>, normalize: SampleFiles['normalize'], shape: readonly number[]): Tensor {
  const [scale, offset] = RANGES[normalize] ?? [];
  if (scale === undefined || offset === undefined)
    throw new Error(`${normalize} normalization does not apply to arrays; choose 0 … 1, −1 … 1, or 0 … 255`);
  return new Tensor(
    'float32',
    Float32Array.from(bytes, (byte) => byte * scale + offset),
    shape,
  );
}

const RANGES: Partial<Record<SampleFiles['normalize'], readonly [scale: number, offset: number]>> = {
  unit: [1 / 255, 0],
  signed: [2 / 255, -1],
  bytes: [1, 0],
};
