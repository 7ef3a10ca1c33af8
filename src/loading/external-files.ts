import { adviseOnce } from '../advice/warn.js';
import { SardonyxError } from '../base/errors.js';
import { type ExternalData, externalFiles, type FileRanges, fileInMemory, tooShort } from '../model/external-data.js';
import type { ByteRange } from '../model/external-ranges.js';
import { type Allocator, type Destination, onHeap } from './destination.js';
import { type Incoming, receive } from './incoming.js';
import type { Loading } from './loading.js';
import type { LoadProgress } from './progress.js';
import { type Beside, type ExternalFile, openSource, sourcesOf } from './source.js';

/** Sources of external files. */
export interface Surroundings {
  readonly given: readonly ExternalFile[];
  /** Finds files that were not given. */
  readonly beside: Beside | undefined;
  /** Files that can be read on demand. */
  readonly rest: ExternalData | undefined;
}

/** Loads the ranges that a model needs of its external files, all files in parallel. */
export async function bringExternal(
  wanted: ReadonlyMap<string, readonly ByteRange[]>,
  { given: named, beside, rest }: Surroundings,
  loading: Loading,
  allocator: Allocator,
): Promise<ExternalData> {
  const sources = sourcesOf(named);
  const files = new Map<string, FileRanges>();
  const bring = async (path: string, ranges: readonly ByteRange[]) => {
    const meter = loading.meter.file(path);
    const onProgress = ({ loaded, total }: LoadProgress) => meter(loaded, total);
    const source = sources.get(path) ?? (await beside?.(path, { signal: loading.signal, onProgress }));
    if (source === undefined) return;
    const opened = await openSource(source, loading, path);
    if (opened.kind === 'incoming') files.set(path, await receiveRanges(opened.file, ranges, loading, allocator));
    else {
      const { size, ranges } =
        opened.kind === 'path'
          ? (await import('../model/files.js')).rangesOf(opened.path, path)
          : inMemory(path, opened.bytes);
      meter(size, size);
      files.set(path, ranges);
    }
  };
  refuseTooLarge(wanted, loading, allocator);
  const given = [...sources.keys()];
  if (given.some((path) => !wanted.has(path)))
    await adviseOnce('', ({ unusedFiles }) => unusedFiles(given, [...wanted.keys()]));
  for (const path of wanted.keys()) loading.meter.file(path);
  await Promise.all([...wanted].map(([path, ranges]) => bring(path, ranges)));
  return externalFiles(files, rest, given);
}

/** Space for weights in linear memory: 4 GiB without the first page, the last page and a thread's scratch block. */
const ROOM = 2 ** 32 - 2 * 2 ** 16 - 2 ** 20;

/** Throws an error before the download if the weights would not fit in memory. */
function refuseTooLarge(
  wanted: ReadonlyMap<string, readonly ByteRange[]>,
  { account }: Loading,
  allocator: Allocator,
): void {
  const ranges = [...wanted.values()].flatMap((of) => [
    ...new Map(of.map((range) => [keyOf(range.offset, range.length), range])).values(),
  ]);
  const bytes = ranges.reduce((sum, { length }) => sum + length, 0);
  account?.demandAlone(bytes, 'the weights in external files');
  if (allocator === onHeap || bytes <= ROOM) return;
  const [needed, room] = [bytes, ROOM].map((n) => n.toLocaleString('en')) as [string, string];
  throw new SardonyxError(
    'OUT_OF_MEMORY',
    `the model has ${needed} bytes of weights in external files, but linear memory has room for ${room}: quantize it`,
  );
}

const inMemory = (path: string, bytes: Uint8Array) => ({ size: bytes.length, ranges: fileInMemory(path, bytes) });

interface Expected extends ByteRange {
  readonly destination: Destination;
}

/** Receives ranges of a file as it arrives, each into its own destination; skips the rest. */
async function receiveRanges(
  file: Incoming,
  ranges: readonly ByteRange[],
  loading: Loading,
  allocator: Allocator,
): Promise<FileRanges> {
  const { total, isExact, name } = file;
  for (const { offset, length } of ranges)
    if (isExact && total !== undefined && offset + length > total) throw tooShort(name, total, offset, length);
  const expected = new Map(
    ranges.map((range): [string, Expected] => [
      keyOf(range.offset, range.length),
      { ...range, destination: allocator(range.length) },
    ]),
  );
  const waiting = [...expected.values()].sort((a, b) => a.offset - b.offset);
  let at = 0;
  await receive(file, loading, (bytes) => {
    const end = at + bytes.length;
    for (const { offset, length, destination } of waiting) {
      if (offset >= end) break;
      const [from, to] = [Math.max(offset, at), Math.min(offset + length, end)];
      if (from < to) destination.write(from - offset, bytes.subarray(from - at, to - at));
    }
    while (waiting[0] && waiting[0].offset + waiting[0].length <= end) waiting.shift();
    at = end;
  });
  for (const { offset, length } of waiting) if (offset + length > at) throw tooShort(name, at, offset, length);
  return (offset, length) => {
    const source = expected.get(keyOf(offset, length))?.destination.source;
    if (!source) throw tooShort(name, at, offset, length);
    return source;
  };
}

const keyOf = (offset: number, length: number) => `${offset}:${length}`;
