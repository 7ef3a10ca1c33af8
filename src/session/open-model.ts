import { type Account, within } from '../account.js';
import { advised } from '../advice/advised.js';
import { SardonyxError } from '../base/errors.js';
import { looksLikeText, SHOWN, type Suspect } from '../base/first-bytes.js';
import { onDemand } from '../base/on-demand.js';
import type { Model } from '../graph/graph.js';
import { type Allocator, onHeap } from '../loading/destination.js';
import type { bringExternal as BringExternal } from '../loading/external-files.js';
import { Loading, type LoadOptions } from '../loading/loading.js';
import { type DataSource, type ExternalFile, type Opened, openSource } from '../loading/source.js';
import { receiveModel } from '../loading/split-model.js';
import { type ExternalData, externalFiles } from '../model/external-data.js';
import { externalRanges } from '../model/external-ranges.js';
import { noModel } from '../model/no-model.js';
import { type DecodedModel, decodeModel, modelOf } from '../model/read-model.js';
import { cursorAtStart, readSkeleton } from '../model/skeleton.js';

/** An ONNX file or its source. */
export type ModelSource = DataSource;

export interface OpenOptions extends LoadOptions {
  readonly externalData?: readonly ExternalFile[];
}

/** Reads a model from any source. Downloads go into memory from the allocator as they arrive. */
export async function openModel(
  source: ModelSource,
  { externalData, ...options }: OpenOptions,
  allocator: Allocator | Promise<Allocator> = onHeap,
  account: Account | null = null,
): Promise<Model> {
  const loading = new Loading(options, account);
  try {
    loading.check();
    const opened = await openSource(source, loading);
    const { bytes, external, suspect } = await bring(opened, loading, await allocator);
    account?.demandToRead(bytes);
    const proto = decoded(bytes, suspect);
    const wanted = externalRanges(proto);
    const surroundings = { given: externalData ?? [], beside: opened.beside, rest: external };
    const files =
      externalData !== undefined || wanted.size > 0
        ? await bringExternal(wanted, surroundings, loading, await allocator)
        : externalFiles(new Map(), external, []);
    loading.check();
    return within(account, () => modelOf(proto, files));
  } catch (cause) {
    loading.check();
    throw await advised(cause);
  } finally {
    loading.close();
  }
}

async function bringExternal(...wanted: Parameters<typeof BringExternal>): Promise<ExternalData> {
  const external = await onDemand('external-files', () => import('../loading/external-files.js'));
  return external.bringExternal(...wanted);
}

interface Contents {
  readonly bytes: Uint8Array;
  readonly external?: ExternalData;
  readonly suspect: () => Suspect;
}

async function bring(opened: Opened, loading: Loading, allocator: Allocator): Promise<Contents> {
  if (opened.kind === 'incoming') return receiveModel(opened.file, loading, allocator);
  const name = opened.kind === 'path' ? opened.path : (opened.name ?? 'model');
  const { account } = loading;
  const contents =
    opened.kind === 'path'
      ? await import('../model/files.js').then(({ openModelFile }) => within(account, () => openModelFile(name)))
      : inMemory(name, opened.bytes);
  loading.meter.file(name)(contents.size, contents.size);
  return contents;
}

function inMemory(name: string, bytes: Uint8Array): Contents & { readonly size: number } {
  const size = bytes.length;
  const head = bytes.subarray(0, SHOWN);
  const suspect = () => ({ name, head, size, reach: reachOf(bytes) });
  if (looksLikeText(head)) throw noModel(suspect());
  return { bytes, size, suspect };
}

/** The end of the last field of a message; beyond its bytes if they are truncated. */
function reachOf(bytes: Uint8Array): number {
  const cursor = cursorAtStart();
  try {
    readSkeleton((offset, length) => bytes.subarray(offset, offset + length), bytes.length, cursor);
  } catch {}
  return cursor.reach;
}

function decoded(bytes: Uint8Array, suspect: () => Suspect): DecodedModel {
  try {
    return decodeModel(bytes);
  } catch (error) {
    throw error instanceof SardonyxError ? noModel(suspect(), error.complaint, error.cause) : error;
  }
}
