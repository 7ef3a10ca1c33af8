import { SardonyxError } from '../errors.js';
import { absolute, isBytes, type PortableSource } from '../worker/portable.js';

/** The source for several workers: what is on the network is fetched once, and bytes lie in shared memory where there is any. */
export async function sharedSource(source: PortableSource): Promise<PortableSource> {
  if (isBytes(source)) return shared(source instanceof Uint8Array ? source : new Uint8Array(source));
  if (typeof source !== 'string' && !(source instanceof URL)) return source;
  const address = typeof source === 'string' ? absolute(source) : source.href;
  return /^https?:/.test(address) ? shared(await fetched(address)) : source;
}

async function fetched(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  const { status, statusText } = response;
  throw new SardonyxError('INVALID_ARGUMENT', `cannot fetch the model ${address}: ${status} ${statusText}`);
}

function shared(bytes: Uint8Array): Uint8Array {
  const canShare = globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer !== 'undefined';
  if (!canShare) return bytes.slice();
  const array = new Uint8Array(new SharedArrayBuffer(bytes.length));
  array.set(bytes);
  return array;
}
