import { transfer } from 'comlink';
import { type Passage, packAll } from '../../../workers/pack.js';
import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';
import type { RunLimits } from '../../limits.js';
import type { Feeds } from '../../session/feeds.js';
import type { Fetches } from '../../session/fetches.js';
import type { Capture } from '../../session/run-options.js';
import { mismatch } from '../../tensor/check-tensor.js';
import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { asCallError, isUncloneable } from './connection.js';
import { packInPieces } from './pack-in-pieces.js';
import type { WorkerState } from './worker-state.js';

/** The request for a run. */
export interface RunRequest {
  readonly feeds: Feeds;
  readonly fetches: Fetches | undefined;
  readonly passage: Passage;
  readonly signal: AbortSignal | undefined;
  readonly limits: RunLimits | undefined;
  readonly capture: Capture | undefined;
  readonly state: WorkerState | undefined;
}

/** Packs feeds. The worker reports values that are not objects. */
export function packedAtOnce(feeds: Feeds, passage: Passage): Feeds {
  if (typeof feeds !== 'object' || feeds === null) return feeds;
  const buffers = new Set<Transferable>();
  const values = packAll(feeds, buffers, passage) as Feeds;
  return transfer(values, [...buffers]);
}

export async function packedInPieces({ feeds, passage, signal }: RunRequest): Promise<Feeds> {
  if (signal?.aborted) throw aborted(signal);
  const buffers = new Set<Transferable>();
  const values = (await packInPieces(feeds, buffers, passage, signal)) as Feeds;
  return transfer(values, [...buffers]);
}

/** The request as the worker would receive it now. */
export function asIfSent({ feeds, fetches, passage }: RunRequest): Pick<RunRequest, 'feeds' | 'fetches'> {
  const buffers = new Set<Transferable>();
  const isObject = typeof feeds === 'object' && feeds !== null;
  const packed = isObject ? packAll(feeds, buffers, passage) : feeds;
  try {
    return structuredClone({ feeds: packed as Feeds, fetches }, { transfer: [...buffers] });
  } catch (error) {
    throw asCallError(error);
  }
}

/** The error of a run, replaced by one that names a feed that cannot be cloned, if there is one. */
export function blamingFeed(error: unknown, feeds: Feeds): unknown {
  const { cause } = error as SardonyxError;
  if (!isUncloneable(cause)) return error;
  for (const name in feeds)
    try {
      structuredClone(packAll({ [name]: feeds[name] as HostValue }, new Set(), 'copy'));
    } catch {
      return unsendable(name, feeds[name] as HostValue, cause);
    }
  return error;
}

function unsendable(name: string, feed: HostValue, cause: DOMException): SardonyxError {
  const place = { value: name };
  if (isTensorValue(feed) && feed.data) return mismatch(feed.type, feed.data, '', place);
  return new SardonyxError('INVALID_TYPE', `cannot be sent to a worker; got ${shown(feed)}`, place, { cause });
}
