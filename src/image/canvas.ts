import { SardonyxError } from '../base/errors.js';
import type { Picture } from './picture.js';

/** VideoFrame, which older DOM types lack. */
type Frame = typeof globalThis extends { VideoFrame: { prototype: infer T } } ? T : never;

/** Image sources that a canvas can draw. */
export type Drawable = HTMLImageElement | HTMLCanvasElement | HTMLVideoElement | OffscreenCanvas | ImageBitmap | Frame;

/** The names of their constructors and of the properties with their sizes. */
const SIZES = {
  HTMLImageElement: ['naturalWidth', 'naturalHeight'],
  HTMLVideoElement: ['videoWidth', 'videoHeight'],
  HTMLCanvasElement: ['width', 'height'],
  OffscreenCanvas: ['width', 'height'],
  ImageBitmap: ['width', 'height'],
  VideoFrame: ['displayWidth', 'displayHeight'],
} as const;

type Kind = keyof typeof SIZES;

/** Limit of a canvas: Safari on phones draws nothing on a larger one. */
const MOST_PIXELS = 2 ** 24;

/** Compares names, because an element of another frame is an instance of another class. */
const kindOf = (source: unknown): Kind | undefined => {
  const name = Object.prototype.toString.call(source).slice(8, -1);
  return name in SIZES ? (name as Kind) : undefined;
};

export const isDrawable = (source: unknown): source is Drawable => kindOf(source) !== undefined;

export const canDecode = (): boolean => typeof createImageBitmap === 'function' && hasCanvas();

const hasCanvas = () => typeof document !== 'undefined' || typeof OffscreenCanvas !== 'undefined';

/** Decodes a file in the browser, with its Exif orientation applied. */
export async function bitmapOf(bytes: Uint8Array, name: string): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), { premultiplyAlpha: 'none' });
  } catch (cause) {
    const { message } = cause as Error;
    throw new SardonyxError(
      'INVALID_VALUE',
      `${name} is no picture that this browser decodes: ${message}`,
      {},
      { cause },
    );
  }
}

/** The pixels of a drawable, in its own size or reduced to a canvas's limit. Waits for an image that is still loading. */
export async function drawn(source: Drawable): Promise<Picture> {
  const kind = kindOf(source) as Kind;
  if (kind === 'HTMLImageElement') await loaded(source as HTMLImageElement);
  const [width, height] = SIZES[kind].map((name) => (source as unknown as Record<string, number>)[name] as number) as [
    number,
    number,
  ];
  if (!(width > 0 && height > 0))
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `the ${kind} has no pixels ${kind === 'HTMLVideoElement' ? 'yet: wait for its event "loadeddata"' : '(it is closed, or empty)'}`,
    );
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  return draw(source, Math.floor(width * scale), Math.floor(height * scale));
}

async function loaded(image: HTMLImageElement): Promise<void> {
  try {
    await image.decode();
  } catch (cause) {
    const complaint = `the image of ${image.currentSrc || image.src || 'no address'} cannot be decoded`;
    throw new SardonyxError('INVALID_VALUE', complaint, {}, { cause });
  }
}

function draw(source: Drawable, width: number, height: number): Picture {
  const context = contextOf(width, height);
  context.imageSmoothingQuality = 'high';
  try {
    context.drawImage(source as CanvasImageSource, 0, 0, width, height);
    return { width, height, channels: 4, samples: context.getImageData(0, 0, width, height).data };
  } catch (cause) {
    const { name, message } = cause as Error;
    const advice =
      name === 'SecurityError' ? ': it is of another origin, whose server must allow it (CORS, crossOrigin)' : '';
    throw new SardonyxError('INVALID_ARGUMENT', `the picture cannot be read${advice}: ${message}`, {}, { cause });
  }
}

/** A context in main memory instead of on a GPU, because it is read and not shown. */
function contextOf(width: number, height: number): CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D {
  if (!hasCanvas())
    throw new SardonyxError(
      'UNSUPPORTED_PLATFORM',
      'there is no canvas here that could read the picture: give its pixels, or a file',
    );
  const canvas =
    typeof document === 'undefined' ? new OffscreenCanvas(width, height) : document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context) return context as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  throw new SardonyxError('UNSUPPORTED_PLATFORM', `there is no canvas of ${width} by ${height} pixels here`);
}
