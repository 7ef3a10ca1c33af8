import { canvasPen } from '../paint/canvas-pen.js';
import { paint } from '../paint/paint.js';
import { createPng, type PngWriter } from './png-writer.js';
import { MARGIN, type Portrait, sizeOf } from './portrait.js';
import { breathe, inSlices } from './turns.js';

/** Half a gigapixel, the most that common programs open. */
export const MOST_PIXELS = 500_000_000;
/** Side of the canvas that a piece of the picture is drawn on. */
const PIECE = 1024;
const BAND = 128;
/** Bytes compressed at a time. */
const PORTION = 1 << 18;

/** The picture at `scale` pixels per unit. It may exceed the canvas size limit: bands are drawn and compressed in turn. */
export async function pictureAsPng(portrait: Portrait, scale: number): Promise<Blob> {
  const whole = sizeOf(portrait.scene);
  const width = Math.ceil(whole.width * scale);
  const height = Math.ceil(whole.height * scale);
  if (width * height > MOST_PIXELS) throw tooLarge(width, height);
  const png = createPng(width, height);
  for (let top = 0; top < height; top += BAND) {
    const rows = Math.min(BAND, height - top);
    await compress(png, await band(portrait, scale, top, width, rows), width);
  }
  return png.end();
}

async function compress(png: PngWriter, pixels: Uint8Array, width: number): Promise<void> {
  const portion = 4 * width * Math.max(1, Math.floor(PORTION / (4 * width)));
  for (let from = 0; from < pixels.length; from += portion) {
    await png.write(pixels.subarray(from, from + portion));
    await breathe();
  }
}

const tooLarge = (width: number, height: number) =>
  new Error(
    `the drawing is ${width} × ${height} pixels, and a PNG here can have ${MOST_PIXELS / 1e6} million; save it as SVG`,
  );

/** The RGBA pixels of some rows. */
async function band(portrait: Portrait, scale: number, top: number, width: number, rows: number): Promise<Uint8Array> {
  const pixels = new Uint8Array(width * rows * 4);
  for (let left = 0; left < width; left += PIECE) {
    const columns = Math.min(PIECE, width - left);
    await breathe();
    const piece = await drawn(portrait, scale, left, top, columns, rows);
    for (let row = 0; row < rows; row++) {
      pixels.set(piece.subarray(row * columns * 4, (row + 1) * columns * 4), (row * width + left) * 4);
    }
  }
  return pixels;
}

async function drawn(
  { scene, dress }: Portrait,
  scale: number,
  left: number,
  top: number,
  width: number,
  height: number,
): Promise<Uint8ClampedArray> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true }) as CanvasRenderingContext2D;
  context.fillStyle = dress.theme.background;
  context.fillRect(0, 0, width, height);
  context.setTransform(scale, 0, 0, scale, Math.round(MARGIN * scale) - left, Math.round(MARGIN * scale) - top);
  const window = { x: left / scale - MARGIN, y: top / scale - MARGIN, width: width / scale, height: height / scale };
  await inSlices(
    paint({ scene, dress, pen: canvasPen(context, dress.theme.font), zoom: scale, density: scale, window }),
  );
  return context.getImageData(0, 0, width, height).data;
}
