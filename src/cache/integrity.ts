import { builtin } from '../../bindings/builtin.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { guarded } from './library.js';

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** The hash in its normal form: `sha256-` and base64. Also accepts 64 hexadecimal digits. */
export function normalIntegrity(integrity: string): string {
  if (typeof integrity !== 'string') throw noHash(integrity);
  const digits = /^(?:sha256-)?([0-9a-f]{64})$/i.exec(integrity)?.[1];
  if (digits)
    return `sha256-${base64(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))}`;
  if (/^sha256-[A-Za-z0-9+/]{43}=$/.test(integrity)) return integrity;
  throw noHash(integrity);
}

const noHash = (integrity: unknown) =>
  new SardonyxError(
    'INVALID_ARGUMENT',
    `integrity must be "sha256-" followed by the hash in base64, not ${shown(integrity)}`,
  );

/** The hash of a file at a path, read piece by piece, or of a response. */
export async function integrityOf(source: string | Response): Promise<string> {
  if (typeof source !== 'string') {
    const bytes = await guarded(() => source.arrayBuffer());
    return `sha256-${base64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
  }
  const [fs, nodeCrypto] = [builtin('fs'), builtin('crypto')];
  if (!fs || !nodeCrypto) throw new SardonyxError('UNSUPPORTED_PLATFORM', `there is no file system to read ${source}`);
  const hash = nodeCrypto.createHash('sha256');
  await guarded(async () => {
    for await (const piece of fs.createReadStream(source)) hash.update(piece as Uint8Array);
  });
  return `sha256-${hash.digest('base64')}`;
}
