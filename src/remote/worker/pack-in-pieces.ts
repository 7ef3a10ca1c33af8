import { arrayLike, isArray, isCopied, type Passage, packAll } from '../../../workers/pack.js';
import { type Feeds, notWhole } from '../../session/feeds.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import { bytesOf, type Copy, copyInPieces, turnToCopy } from './in-pieces.js';

/** Packs values to be posted, in turns of the event loop: one for the allocation, and one for each piece. */
export async function packInPieces(
  values: Readonly<Record<string, HostValue>>,
  buffers: Set<Transferable>,
  passage: Passage,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const copies: Copy[] = [];
  await turnToCopy();
  const packed = packAll(values, buffers, passage, (array) => {
    const copy = arrayLike(array, new ArrayBuffer(array.byteLength));
    copies.push({ from: bytesOf(array), to: bytesOf(copy) });
    return copy;
  });
  await copyInPieces(copies, signal);
  return packed;
}

/** Number of bytes of the feeds that packing copies. @throws SardonyxError naming a feed that cannot be read */
export function bytesToCopy(feeds: Feeds, passage: Passage): number {
  let bytes = 0;
  for (const name in feeds) {
    const feed = feeds[name] as HostValue;
    try {
      bytes += bytesToCopyOf(feed, passage);
    } catch (error) {
      throw notWhole(name, feed as TensorValue, error);
    }
  }
  return bytes;
}

function bytesToCopyOf(value: HostValue, passage: Passage): number {
  if (Array.isArray(value)) return value.reduce((sum, element) => sum + bytesToCopyOf(element, passage), 0);
  if (!isTensorValue(value) || !isArray(value.data)) return 0;
  return isCopied(value.data, passage) ? value.data.byteLength : 0;
}
