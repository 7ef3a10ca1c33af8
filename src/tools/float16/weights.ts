import type { TensorProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { withFields } from '../../model/document/changed.js';
import { aheadIn, fileOf, LeftBytes, oneAhead } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { ELEMENTS, type ElementType, elementTypeOf } from '../../tensor/element-types.js';
import { isExternal, rawDataOf } from '../tensor-data.js';
import { clampedIn, narrowed } from './narrow.js';
import type { ClampedWeight, Settings } from './options.js';

/** Reads the elements from `begin` to `end`. */
type Reader = (begin: number, end: number) => Promise<Float32Array>;

/** The number of elements to process at once: 16 MiB of float32. */
const CHUNK = 2 ** 22;

/** Converts a weight to 16 bits. Data in a file is checked now, and converted in pieces when it is read. */
export async function narrowWeight(model: Model, tensor: TensorProto, settings: Settings) {
  const left = await rawDataOf(tensor, model);
  const file = fileOf(left);
  const element = elementTypeOf(tensor.dataType) as ElementType;
  const width = ELEMENTS[element].bits / 8;
  const read: Reader = async (begin, end) => floats(await aheadIn(file, begin * width, end * width), element);
  const count = file.size / width;
  const isLeft = left instanceof LeftBytes;
  const rawData = isLeft ? deferred(count, read, settings) : bytesOf(narrowed(await read(0, count), settings));
  return { tensor: withRawData(tensor, settings.to, rawData), ...(await clampedOf(count, read, settings)) };
}

const deferred = (count: number, read: Reader, settings: Settings): LeftBytes =>
  new LeftBytes(count * 2, async (begin, end) => {
    const first = Math.floor(begin / 2);
    const made = bytesOf(narrowed(await read(first, Math.ceil(end / 2)), settings));
    return made.subarray(begin - first * 2, end - first * 2);
  });

async function clampedOf(count: number, read: Reader, settings: Settings): Promise<Omit<ClampedWeight, 'weight'>> {
  let [above, below] = [0, 0];
  const starts = Array.from({ length: Math.ceil(count / CHUNK) }, (_, i) => i * CHUNK);
  for await (const values of oneAhead(starts, (begin) => read(begin, Math.min(begin + CHUNK, count)))) {
    const { signal } = settings;
    if (signal?.aborted) throw aborted(signal, 'the conversion');
    const found = clampedIn(values, settings);
    above += found.above;
    below += found.below;
  }
  return { above, below };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

function floats(bytes: Uint8Array, element: ElementType): Float32Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  if (element === 'float64') return Float32Array.from(new Float64Array(buffer, byteOffset, length / 8));
  return new Float32Array(buffer, byteOffset, length / 4);
}

/** Replaces the data of a tensor, which is then stored in the model itself. */
export function withRawData(tensor: TensorProto, type: ElementType, rawData: Uint8Array): TensorProto {
  const elsewhere = isExternal(tensor) ? { dataLocation: undefined, externalData: [] } : {};
  return withFields(tensor, { dataType: ELEMENTS[type].onnx, rawData, floatData: [], doubleData: [], ...elsewhere });
}
