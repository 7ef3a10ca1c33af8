import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { sessionsOf } from '../stages.js';
import { PICTURES } from './pictures.js';

const test = suite('ImageDecoder');

const [WIDTH, HEIGHT] = [5, 4];

const sessionFor = async (format: string): Promise<InferenceSession> => {
  const [[, session]] = (await sessionsOf((b) => {
    const stream = b.input('stream', 'uint8', ['bytes']);
    b.output('image', b.op('ImageDecoder', [stream], { pixel_format: format }));
  })) as [[string, InferenceSession]];
  return session;
};

async function decode(session: InferenceSession, bytes: ArrayLike<number>): Promise<TensorValue> {
  return (await session.run({ stream: tensor('uint8', [bytes.length], bytes) })).image as TensorValue;
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const ascii = (text: string, ...more: number[]) => Uint8Array.from([...Buffer.from(text, 'latin1'), ...more]);

for (const { name, file, rgb } of PICTURES)
  test(name, async () => {
    const expected = bytesOf(rgb);
    const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, p) => [...expected.subarray(3 * p, 3 * p + 3)]);
    const forms = {
      RGB: expected,
      BGR: Uint8Array.from(pixels.flatMap((pixel) => pixel.reverse())),
      Grayscale: Uint8Array.from(pixels, ([b, g, r]) =>
        Math.floor((19595 * (r as number) + 38470 * (g as number) + 7471 * (b as number) + 32768) / 65536),
      ),
    };
    for (const [format, values] of Object.entries(forms)) {
      const session = await sessionFor(format);
      const image = await decode(session, bytesOf(file));
      assert.equal(image.dims, [HEIGHT, WIDTH, values.length / (WIDTH * HEIGHT)]);
      assert.equal(image.data, values, format);
    }
  });

const anymaps: readonly [name: string, file: Uint8Array, dims: number[], grey: number[]][] = [
  ['plain bitmap', ascii('P1 # a comment\n3 2\n101\n0 1 0'), [2, 3, 1], [0, 255, 0, 255, 0, 255]],
  ['plain graymap', ascii('P2\n2 1\n# another\n15\n0 5'), [1, 2, 1], [0, 85]],
  ['plain pixmap', ascii('P3 1 1 255 10 10 10'), [1, 1, 1], [10]],
  ['bitmap', ascii('P4 10 1\n', 0b10101010, 0b01000000), [1, 10, 1], [0, 255, 0, 255, 0, 255, 0, 255, 255, 0]],
  ['graymap of 16 bits', ascii('P5 2 1 65535\n', 0x12, 0xff, 0xff, 0x00), [1, 2, 1], [0x12, 0xff]],
];

for (const [name, file, dims, grey] of anymaps)
  test(name, async () => {
    const image = await decode(await sessionFor('Grayscale'), file);
    assert.equal(image.dims, dims);
    assert.equal([...(image.data as Uint8Array)], grey);
  });

test('what is no whole image is refused, and the next is decoded', async () => {
  const session = await sessionFor('RGB');
  await expectRejection('INVALID_VALUE', /not an image in BMP, JPEG/, decode(session, [1, 2, 3]));
  await expectRejection('INVALID_VALUE', /not an image in BMP, JPEG/, decode(session, []));
  for (const { name, file, rgb } of PICTURES) {
    const bytes = bytesOf(file);
    const cut = decode(session, bytes.subarray(0, name.startsWith('TIFF') ? 8 : 30 + (name.startsWith('P') ? -22 : 0)));
    await expectRejection('INVALID_VALUE', /image: /, cut);
    assert.equal((await decode(session, bytes)).data, bytesOf(rgb), name);
  }
});

/** A grey JPEG 2000 codestream of 5 by 4 pixels with bytes changed: the SIZ segment begins at 2, COD at 45, SOT at 110. */
const crafted: readonly (readonly [what: string, changes: Record<number, number>, reason: RegExp])[] = [
  ['tiles without pixels', { 27: 0 }, /tiles of 0 by 4/],
  ['components without samples', { 43: 0 }, /subsampled/],
  ['a tile-part that ends before it begins', { 119: 0 }, /tile-part of 0 bytes/],
  ['a tile-part that ends behind the file', { 118: 255 }, /tile-part of 65340 bytes/],
  ['more levels than bits', { 54: 200 }, /beyond what the standard allows/],
  ['huge code-blocks', { 55: 15 }, /beyond what the standard allows/],
  ['precincts without a sample', { 49: 1 }, /precincts without a sample/],
  ['unknown segments', { 46: 0x50 }, /marker ff50/],
];

test('crafted JPEG 2000 files are refused at once', async () => {
  const session = await sessionFor('RGB');
  const { file = '' } = PICTURES.find(({ name }) => name.endsWith('codestream, grey')) ?? {};
  for (const [what, changes, reason] of crafted) {
    const bytes = bytesOf(file);
    for (const [at, byte] of Object.entries(changes)) bytes[Number(at)] = byte;
    await expectRejection('INVALID_VALUE', reason, decode(session, bytes)).catch((error) => {
      throw new Error(`${what}: ${error.message}`);
    });
  }
});

test('an unknown pixel format is refused', async () => {
  await expectRejection(
    'INVALID_ATTRIBUTE',
    /not one of RGB, BGR, Grayscale/,
    sessionFor('CMYK').then((s) => decode(s, [])),
  );
});

test.run();
