import { type Account, account } from '../../../account.js';
import { SardonyxError } from '../../../base/errors.js';
import { tensorType } from '../../../graph/types.js';
import { decodingBytes } from '../../../image/formats/declared-size.js';
import { FORMATS } from '../../../image/formats/decoders.js';
import { countInflated } from '../../../image/formats/inflated-size.js';
import type { Decode } from '../../../image/picture.js';
import { entryOf, string } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { dimsOfRank } from '../../../schema/shapes.js';
import { PIXEL_FORMATS, pixelsOf } from './pixel-formats.js';

/** Copies of decompressed data: in parts, joined, and as samples. */
const COPIES = 3;

/** Decoders by format; an error for one that cannot be loaded here. */
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
      entryOf(PIXEL_FORMATS, format) ??
      c.fail('INVALID_ATTRIBUTE', `pixel_format "${format}" is not one of ${known.join(', ')}`);
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
      return c.fail('INVALID_VALUE', `the bytes are not an image in ${FORMATS.map(({ name }) => name).join(', ')}`);
    const decode = loaded.get(format.name);
    if (typeof decode !== 'function')
      return c.fail('UNSUPPORTED_OPERATOR', `the decoder of ${format.name} cannot be loaded: ${decode?.message}`);
    const fail = (reason: string) => c.fail('INVALID_VALUE', `the ${format.name} image: ${reason}`);
    const limits = account();
    if (limits) attempt(() => demandFor(limits, format.name, bytes), fail);
    const picture = attempt(() => decode(bytes), fail);
    const { pixel_format } = c.attributes;
    const channels = PIXEL_FORMATS[pixel_format]?.channels as number;
    return [{ type: 'uint8', dims: [picture.height, picture.width, channels], data: pixelsOf(picture, pixel_format) }];
  },
});

/** Rejects an image that is too large according to its header or its compressed data. */
function demandFor(limits: Account, format: string, bytes: Uint8Array): void {
  limits.demand(decodingBytes(format, bytes), 'the decoded image');
  countInflated(format, bytes, (inflated) => {
    limits.demand(COPIES * inflated, 'its decompressed data');
    limits.look();
  });
}

function attempt<T>(work: () => T, fail: (reason: string) => never): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SardonyxError) throw error;
    return fail(error instanceof Error ? error.message : String(error));
  }
}
