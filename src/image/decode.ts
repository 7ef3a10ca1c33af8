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
  const decode = await format.load().catch((cause: Error) => {
    const complaint = `the decoder of ${format.name} cannot be loaded: ${cause.message}`;
    throw new SardonyxError('UNSUPPORTED_PLATFORM', complaint, {}, { cause });
  });
  try {
    return decode(bytes, true);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new SardonyxError('INVALID_VALUE', `${name} is no whole ${format.name} file: ${reason}`, {}, { cause });
  }
}
