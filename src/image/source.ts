import { builtin } from '../../bindings/builtin.js';
import { SardonyxError } from '../base/errors.js';
import { isA } from '../base/kind.js';
import { codeOfMissing } from '../base/not-loaded.js';
import { GrowingBytes } from '../loading/growing-bytes.js';
import { receive } from '../loading/incoming.js';
import { Loading } from '../loading/loading.js';
import { type DataSource, openSource } from '../loading/source.js';
import { bitmapOf, canDecode, type Drawable, drawn, isDrawable } from './canvas.js';
import type { Picture } from './picture.js';

/** Pixels by row, channels interleaved: gray, gray and alpha, RGB or RGBA, depending on their number. */
export interface Pixels {
  /** Row by row, 1 to 4 entries for each pixel: gray, gray and alpha, RGB, or RGBA. */
  readonly data: Uint8ClampedArray | Uint8Array | Uint16Array;
  /** Pixels in a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/**
 * An image: pixels, as in ImageData or from a decoder; an element or bitmap that a page can draw; or an encoded file as bytes, Blob, Response,
 * stream, URL or (Node, Deno, Bun) path.
 */
export type ImageSource = Pixels | Drawable | DataSource;

const ACCEPTED =
  'a picture is ImageData or { data, width, height }, an image, canvas or video element, ImageBitmap or VideoFrame, or a file as bytes, Blob, Response, URL or path';

/**
 * @throws SardonyxError INVALID_VALUE if a file is not an image, DOWNLOAD or FILE_NOT_FOUND if it cannot be loaded, INVALID_ARGUMENT for
 * others
 */
export async function pictureOf(source: ImageSource, signal?: AbortSignal): Promise<Picture> {
  if (isPixels(source)) return pictureOfPixels(source);
  if (isDrawable(source)) return drawn(source);
  if (!isFile(source)) throw new SardonyxError('INVALID_ARGUMENT', `${ACCEPTED}; this is ${nameOf(source)}`);
  const { bytes, name } = await fileOf(source, signal);
  return decode(bytes, name);
}

/** Properties that identify bytes, Blob, stream, OPFS file, Response, cached file and URL. */
const MARKS = ['byteLength', 'stream', 'getReader', 'getFile', 'body', 'open', 'href'];

const isFile = (source: unknown): source is DataSource =>
  typeof source === 'string' || (typeof source === 'object' && source !== null && MARKS.some((mark) => mark in source));

const nameOf = (value: unknown) =>
  value === null || value === undefined ? `${value}` : (value.constructor?.name ?? typeof value);

const isPixels = (source: unknown): source is Pixels =>
  typeof source === 'object' && source !== null && 'data' in source && 'width' in source && 'height' in source;

function pictureOfPixels({ data, width, height }: Pixels): Picture {
  const channels = data.length / (width * height);
  const isWhole = [1, 2, 3, 4].includes(channels) && Number.isInteger(width) && Number.isInteger(height);
  if (data instanceof Uint16Array && isWhole) return { width, height, channels, samples: data, white: 65535 };
  if ((isA(data, 'Uint8ClampedArray') || isA(data, 'Uint8Array')) && isWhole)
    return { width, height, channels, samples: data };
  const given = `${data?.length} entries of ${data?.constructor.name}`;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `${given} are no pixels of a picture ${width} wide and ${height} high: 1 to 4 bytes, or as many Uint16Array entries, for each`,
  );
}

interface File {
  readonly bytes: Uint8Array;
  readonly name: string;
}

async function fileOf(source: DataSource, signal: AbortSignal | undefined): Promise<File> {
  const loading = new Loading({ signal });
  try {
    loading.check();
    const opened = await openSource(source, loading, undefined, 'the picture');
    if (opened.kind === 'bytes') return { bytes: opened.bytes, name: 'the picture' };
    if (opened.kind === 'path') return { bytes: await readPath(opened.path), name: opened.path };
    const gathered = new GrowingBytes(opened.file.total);
    await receive(opened.file, loading, (part) => gathered.push(part));
    return { bytes: gathered.take(), name: opened.file.name };
  } finally {
    loading.close();
  }
}

async function readPath(path: string): Promise<Uint8Array> {
  const fs = builtin('fs');
  if (!fs) throw new SardonyxError('UNSUPPORTED_PLATFORM', `cannot read "${path}": there is no file system here`);
  try {
    return await fs.promises.readFile(path);
  } catch (cause) {
    const { message } = cause as Error;
    throw new SardonyxError(
      codeOfMissing(cause, 'FILE_UNREADABLE'),
      `cannot read the picture "${path}": ${message}`,
      {},
      { cause },
    );
  }
}

/** Decodes a file in the browser, which supports more formats, or else with the package's own decoders. */
async function decode(bytes: Uint8Array, name: string): Promise<Picture> {
  if (!canDecode()) return (await import('./decode.js')).decodeBytes(bytes, name);
  const bitmap = await bitmapOf(bytes, name);
  try {
    return await drawn(bitmap);
  } finally {
    bitmap.close();
  }
}
