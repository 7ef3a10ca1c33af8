// Uses of sardonyx/image, sardonyx/tensors, warmUp and fromImage that must compile. Checked, not run.
import { InferenceSession, Tensor, type WarmUp } from 'sardonyx';
import {
  type Channels,
  type Fit,
  type ImageDataOptions,
  type ImageSource,
  type ImageTensorOptions,
  imageTensor,
  type Layout,
  type Normalization,
  type Placement,
  placementOf,
  toImageData,
} from 'sardonyx/image';
import { createPool } from 'sardonyx/pool';
import { argmax, type Entry, readNpy, readNpz, softmax, topK, writeNpy } from 'sardonyx/tensors';
import { InferenceSession as WorkerSession } from 'sardonyx/worker';

const fit: Fit = 'contain';
const layout: Layout = 'NHWC';
const channels: Channels = 'grey';
const normalize: Normalization = 'imagenet';

export const sources = (bytes: Uint8Array, buffer: ArrayBuffer, blob: Blob, response: Response): ImageSource[] => [
  bytes,
  buffer,
  blob,
  response,
  'photo.jpg',
  new URL('https://example.org/photo.jpg'),
  { data: bytes, width: 2, height: 1 },
  { data: new Uint16Array(6), width: 2, height: 1 },
];

export async function pictures(source: ImageSource, session: InferenceSession): Promise<ImageData> {
  const options: ImageTensorOptions = { for: session, size: [224, undefined], fit, crop: 0.875, background: [0, 0, 0] };
  const tensor = await imageTensor([source, source], {
    ...options,
    background: 'none',
    signal: AbortSignal.timeout(9),
  });
  await imageTensor(source, { layout, channels, normalize, type: 'uint8', mean: 0.5, std: [1, 1, 1] });
  if (session.inputMetadata[0]) await imageTensor(source, { for: session.inputMetadata[0] });
  const { left, top, width, height }: Placement = placementOf({ width: 4, height: 3 }, { width: 2, height: 2 }, fit);
  console.log(left, top, width, height);
  const back: ImageDataOptions = { layout, palette: [[0, 0, 0]], index: 1 };
  const image: ImageData = await (await Tensor.fromImage(source, { tensorFormat: 'BGR', size: 3 })).toImageData(back);
  console.log(image.data);
  return toImageData(tensor, { normalize: 'clip' });
}

export function arrays(scores: Tensor, labels: readonly string[]): string[] {
  const best: readonly Entry[] | undefined = topK(softmax(scores, -1), 5, { labels })[0];
  const file: Uint8Array = writeNpy(argmax(scores));
  const { x } = readNpz(file);
  console.log(readNpy(file).dims, x?.dims, readNpy(new ArrayBuffer(8)));
  return (best ?? []).map(({ index, value, label }) => `${index} ${value.toFixed(3)} ${label ?? ''}`);
}

export async function warms(model: Uint8Array, x: Tensor): Promise<void> {
  const given: WarmUp = { batch: 1, pixels: [1, 3, 224, 224], x };
  const session = await InferenceSession.create(model);
  await session.warmUp();
  await session.warmUp(given);
  await (await WorkerSession.create(model)).warmUp(given);
  await (await createPool(model)).warmUp(given);
}
