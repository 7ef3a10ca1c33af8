import type { Image } from './decode-image.js';

/** How an image meets a size of another aspect ratio: cut the surplus, stretch, or add black borders. */
export const FITS = ['cover', 'stretch', 'contain'] as const;
export type Fit = (typeof FITS)[number];

export function fitImage(image: Image, width: number, height: number, fit: Fit): Image {
  if (fit === 'stretch') return resample(image, width, height);
  const ratios = [width / image.width, height / image.height] as const;
  const scale = fit === 'cover' ? Math.max(...ratios) : Math.min(...ratios);
  const across = Math.max(1, Math.round(image.width * scale));
  const down = Math.max(1, Math.round(image.height * scale));
  return centered(resample(image, across, down), width, height);
}

/** The middle of an image, or the image in the middle of black. */
function centered(image: Image, width: number, height: number): Image {
  const { channels } = image;
  const pixels = new Float32Array(width * height * channels);
  const left = Math.floor((image.width - width) / 2);
  const top = Math.floor((image.height - height) / 2);
  const from = Math.max(0, left);
  const to = Math.min(image.width, left + width);
  for (let y = Math.max(0, top); y < Math.min(image.height, top + height); y++) {
    const row = image.pixels.subarray((y * image.width + from) * channels, (y * image.width + to) * channels);
    pixels.set(row, ((y - top) * width + from - left) * channels);
  }
  return { width, height, channels, pixels };
}

/** Linear interpolation; where the image shrinks, the triangle filter grows with the step, as in Pillow. */
function resample(image: Image, width: number, height: number): Image {
  if (width === image.width && height === image.height) return image;
  const { channels } = image;
  const across = weightsOf(image.width, width);
  const rows = new Float32Array(image.height * width * channels);
  for (let y = 0; y < image.height; y++) {
    for (const [x, { first, weights }] of across.entries()) {
      for (let c = 0; c < channels; c++) {
        let sum = 0;
        for (const [k, w] of weights.entries())
          sum += w * (image.pixels[(y * image.width + first + k) * channels + c] as number);
        rows[(y * width + x) * channels + c] = sum;
      }
    }
  }
  const pixels = new Float32Array(height * width * channels);
  const rowLength = width * channels;
  for (const [y, { first, weights }] of weightsOf(image.height, height).entries()) {
    for (const [k, w] of weights.entries()) {
      const source = (first + k) * rowLength;
      for (let i = 0; i < rowLength; i++) {
        const at = y * rowLength + i;
        pixels[at] = (pixels[at] as number) + w * (rows[source + i] as number);
      }
    }
  }
  return { width, height, channels, pixels };
}

interface Weights {
  readonly first: number;
  readonly weights: readonly number[];
}

function weightsOf(from: number, to: number): Weights[] {
  const step = from / to;
  const radius = Math.max(step, 1);
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * step;
    const first = Math.max(0, Math.ceil(center - radius - 0.5));
    const last = Math.min(from - 1, Math.floor(center + radius - 0.5));
    const weights = Array.from({ length: last - first + 1 }, (_, k) =>
      Math.max(0, 1 - Math.abs(first + k + 0.5 - center) / radius),
    );
    const sum = weights.reduce((a, b) => a + b, 0);
    return { first, weights: weights.map((w) => w / sum) };
  });
}
