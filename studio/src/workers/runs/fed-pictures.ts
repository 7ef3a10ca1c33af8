import type { HostValue } from 'sardonyx';
import type { Feeding, InputChoice } from '../contracts/feeding.js';
import type { FedPicture } from '../contracts/runs.js';
import { isTensor } from './describe.js';
import { pictureOf } from './pictures.js';

/** The longer side of a displayed image. */
const LARGEST_SIDE = 256;

/** Images provided for inputs, and each as seen by the model. */
export async function fedPictures(
  feeds: Readonly<Record<string, HostValue>>,
  { inputs }: Feeding,
): Promise<FedPicture[]> {
  const found: FedPicture[] = [];
  for (const [input, value] of Object.entries(feeds)) {
    const choice = inputs.get(input);
    const seen = isTensor(value) && (choice?.kind === 'file' || choice?.kind === 'pixels') && pictureOf(value);
    if (seen) found.push({ input, given: await imageIn(choice), seen: seen.picture, says: seen.says });
  }
  return found;
}

async function imageIn(choice: InputChoice | undefined): Promise<ImageData | null> {
  if (choice?.kind === 'file' && !/\.(npy|pb)$/i.test(choice.file.name)) return scaled(choice.file);
  if (choice?.kind !== 'pixels') return null;
  const { data, width, height } = choice.pixels;
  return scaled(new ImageData(Uint8ClampedArray.from(data), width, height));
}

async function scaled(source: File | ImageData): Promise<ImageData | null> {
  const image = await createImageBitmap(source).catch(() => null);
  if (!image) return null;
  const scale = Math.min(1, LARGEST_SIDE / Math.max(image.width, image.height));
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  const context = new OffscreenCanvas(width as number, height as number).getContext('2d');
  context?.drawImage(image, 0, 0, width as number, height as number);
  image.close();
  return context?.getImageData(0, 0, width as number, height as number) ?? null;
}
