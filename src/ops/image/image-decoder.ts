import { tensorType } from '../../graph/types.js';
import { FORMATS } from '../../image/formats/decoders.js';
import type { Decode, Picture } from '../../image/picture.js';
import { string } from '../attributes.js';
import { defineOp } from '../definition.js';
import { dimsOfRank } from '../shapes.js';
import { PIXEL_FORMATS, pixelsOf } from './pixel-formats.js';

/** The decoders, by format; an error where one cannot be loaded here. */
const loaded = new Map<string, Decode | Error>();
let loading: Promise<unknown> | undefined;

const load = () =>
  Promise.all(
    FORMATS.map(async (format) => {
      loaded.set(format.name, await format.load().catch((error: Error) => error));
    }),
  );

/** https://onnx.ai/onnx/operators/onnx__ImageDecoder.html */
export const imageDecoder = defineOp({
  name: 'ImageDecoder',
  since: 20,
  signature: 'encoded_stream: uint8 -> image: uint8',
  attributes: { pixel_format: string('RGB') },
  infer(c) {
    const { pixel_format: format } = c.attributes;
    const known = Object.keys(PIXEL_FORMATS);
    const pixel =
      PIXEL_FORMATS[format] ?? c.fail('INVALID_ATTRIBUTE', `pixel_format "${format}" is none of ${known.join(', ')}`);
    dimsOfRank(c, 0, 1);
    return [tensorType('uint8', [c.unknown(), c.unknown(), pixel.channels])];
  },
  prepare() {
    loading ??= load();
    return loading;
  },
  evaluate(c) {
    const bytes = c.tensor(0).data as Uint8Array;
    const format = FORMATS.find(({ test }) => test(bytes));
    if (!format)
      return c.fail('INVALID_VALUE', `the bytes are no image in ${FORMATS.map(({ name }) => name).join(', ')}`);
    const decode = loaded.get(format.name);
    if (typeof decode !== 'function')
      return c.fail('UNSUPPORTED_OPERATOR', `the decoder of ${format.name} cannot be loaded: ${decode?.message}`);
    const picture = decoded(decode, bytes, (reason) => c.fail('INVALID_VALUE', `the ${format.name} image: ${reason}`));
    const { pixel_format } = c.attributes;
    const channels = PIXEL_FORMATS[pixel_format]?.channels as number;
    return [{ type: 'uint8', dims: [picture.height, picture.width, channels], data: pixelsOf(picture, pixel_format) }];
  },
});

function decoded(decode: Decode, bytes: Uint8Array, fail: (reason: string) => never): Picture {
  try {
    return decode(bytes);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}
