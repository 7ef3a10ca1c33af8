import { isForbidden } from '../../bindings/forbidden.js';
import { type ErrorCode, SardonyxError } from '../base/errors.js';
import { codeOfMissingScript } from '../base/not-loaded.js';
import { FORMATS } from './formats/decoders.js';
import type { Picture } from './picture.js';

/** Decodes a file in one of FORMATS, with its orientation applied. Errors use `name`. */
export async function decodeBytes(bytes: Uint8Array, name: string): Promise<Picture> {
  if (bytes.length === 0) throw new SardonyxError('INVALID_VALUE', `${name} is empty (0 bytes)`);
  const format = FORMATS.find(({ test }) => test(bytes));
  if (!format)
    throw new SardonyxError(
      'INVALID_VALUE',
      `${name}: unsupported image format. Supported: ${FORMATS.map((known) => known.name).join(', ')}`,
    );
  const unavailable = (cause: Error, code: ErrorCode) =>
    new SardonyxError(code, `the decoder of ${format.name} cannot be loaded: ${cause.message}`, {}, { cause });
  const decode = await format.load().catch((cause: Error) => {
    throw unavailable(cause, codeOfMissingScript(cause));
  });
  try {
    return decode(bytes, true);
  } catch (cause) {
    if (isForbidden(cause)) throw unavailable(cause as Error, 'UNSUPPORTED_PLATFORM');
    const reason = cause instanceof Error ? cause.message : cause;
    throw new SardonyxError('INVALID_VALUE', `${name} is not a complete ${format.name} file: ${reason}`, {}, { cause });
  }
}
