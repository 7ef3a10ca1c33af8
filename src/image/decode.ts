import { isForbidden } from '../../bindings/forbidden.js';
import { SardonyxError } from '../base/errors.js';
import { FORMATS } from './formats/decoders.js';
import type { Picture } from './picture.js';

/** Decodes a file of any of FORMATS, upright; `name` is what errors call it. */
export async function decodeBytes(bytes: Uint8Array, name: string): Promise<Picture> {
  const format = FORMATS.find(({ test }) => test(bytes));
  if (!format)
    throw new SardonyxError(
      'INVALID_VALUE',
      `${name} is no picture in a format known here: ${FORMATS.map((known) => known.name).join(', ')}`,
    );
  const unavailable = (cause: Error) =>
    new SardonyxError(
      'UNSUPPORTED_PLATFORM',
      `the decoder of ${format.name} cannot be loaded: ${cause.message}`,
      {},
      { cause },
    );
  const decode = await format.load().catch((cause: Error) => {
    throw unavailable(cause);
  });
  try {
    return decode(bytes, true);
  } catch (cause) {
    if (isForbidden(cause)) throw unavailable(cause as Error);
    const reason = cause instanceof Error ? cause.message : cause;
    throw new SardonyxError('INVALID_VALUE', `${name} is no whole ${format.name} file: ${reason}`, {}, { cause });
  }
}
