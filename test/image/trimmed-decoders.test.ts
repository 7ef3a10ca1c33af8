// The decoders without what no picture comes to (tools/trim-decoders.mjs), beside those that their packages ship: pictures, whole and
// damaged, have the same pixels, or are refused by both.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jpegDecoder } from '../../src/image/formats/jpeg.js';
import { webpDecoder } from '../../src/image/formats/webp.js';
import type { Decode } from '../../src/image/picture.js';
import { bytesOf } from './bytes.js';
import { FILES } from './pictures.js';

const test = suite('trimmed decoders');

const moduleAt = (url: string) => new WebAssembly.Module(readFileSync(fileURLToPath(url)));
const built = (name: string) => moduleAt(new URL(`../../build/${name}.wasm`, import.meta.url).href);
const shipped = (specifier: string) => moduleAt(import.meta.resolve(specifier));

/** Larger ones take long to be made, and damaged headers say anything. */
const MOST_PIXELS = 2 ** 20;
const DAMAGED = 300;

/** What comes of a file, as text: sizes and pixels, or that it is refused. */
function outcome(decode: Decode, file: Uint8Array): string {
  try {
    const { width, height, samples } = decode(file);
    return `${width}×${height} ${Buffer.from(samples).toString('base64')}`;
  } catch {
    return 'refused';
  }
}

/** The file with a few bytes changed, or cut short; the same for the same seed. */
function damaged(file: Uint8Array, seed: number): Uint8Array {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  if (seed % 4 === 0) return file.slice(0, below(file.length));
  const changed = file.slice();
  for (let i = 0; i <= seed % 3; i++) changed[below(file.length)] = below(256);
  return changed;
}

/** Width times height of a JPEG, by its frame header: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2 */
function pixelsOfJpeg(file: Uint8Array): number {
  const at = file.findIndex((byte, i) => byte === 0xff && [0xc0, 0xc1, 0xc2].includes(file[i + 1] ?? 0));
  const word = (offset: number) => ((file[at + offset] ?? 0) << 8) | (file[at + offset + 1] ?? 0);
  return at < 0 ? 0 : word(5) * word(7);
}

const KINDS = [
  {
    decoders: [built('jpeg-decoder'), shipped('@cwasm/jpeg-turbo/jpeg-turbo.wasm')].map(jpegDecoder),
    files: { jpeg: FILES.jpeg, progressive: FILES.progressive, grey: FILES.greyJpeg, cmyk: FILES.cmyk },
    isSmall: (file: Uint8Array) => pixelsOfJpeg(file) < MOST_PIXELS,
  },
  {
    decoders: [built('webp-decoder'), shipped('@cwasm/webp/webp.wasm')].map(webpDecoder),
    files: { webp: FILES.webp },
    isSmall: () => true,
  },
];

for (const { decoders, files, isSmall } of KINDS)
  for (const [name, { file }] of Object.entries(files))
    test(`${name}: the same, whole and damaged`, () => {
      const whole = bytesOf(file);
      const all = [whole, ...Array.from({ length: DAMAGED }, (_, seed) => damaged(whole, seed))].filter(isSmall);
      const made = all.map((bytes) => decoders.map((decode) => outcome(decode, bytes)));
      for (const [i, [ours, theirs]] of made.entries()) assert.is(ours, theirs, `file ${i}`);
      assert.ok(all.length > DAMAGED / 2 && new Set(made.map(([ours]) => ours)).size > (name === 'cmyk' ? 0 : 10));
    });

test.run();
