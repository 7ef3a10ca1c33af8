import type { DataSource } from '../../loading/source.js';
import type { LeftFile } from '../../model/document/left-bytes.js';
import type { Files } from '../../model/document/model.js';
import { type LoadModelOptions, type OpenedFile, openBeside } from '../load-model.js';
import { readGguf } from './gguf.js';
import { readJson } from './json.js';
import { readSafetensors } from './safetensors.js';
import { broken, type Listing, type StoredWeight } from './stored-weight.js';

/** The weights of one file, or of several shards. */
export interface WeightFile extends Listing {
  /** The files with the weights, by the names that `place` uses. */
  readonly files: ReadonlyMap<string, LeftFile>;
  /** Opens another file in the same folder. */
  readonly beside: Files;
  /** The folder of the files, if it is known. */
  readonly folder?: string | undefined;
}

/** The bytes with which a GGUF file begins. */
const GGUF = 0x46554747;

/**
 * Opens a weight file: safetensors, an index of safetensors shards, or GGUF. Weights are read when they are needed, if
 * the source supports partial reads.
 * @throws SardonyxError INVALID_ARGUMENT if the file is invalid
 */
export async function openWeights(source: DataSource, options: LoadModelOptions = {}): Promise<WeightFile> {
  const opened = await openBeside(source, options);
  const { file } = opened;
  const name = nameOf(source, opened);
  const start = await file.range(0, Math.min(8, file.size));
  const magic = start.length === 8 ? new DataView(start.buffer, start.byteOffset).getUint32(0, true) : 0;
  // The lowest byte of a header's length may equal the code of an opening brace.
  if (start[0] === OPENING && !start.includes(0)) return readShards(opened, name);
  const found = await (magic === GGUF ? readGguf : readSafetensors)(file, name);
  return { ...found, files: new Map([[name, file]]), beside: opened.files, folder: opened.folder };
}

/** Opens a weight file unless it is already open. */
export async function openedWeights(source: DataSource | WeightFile, options: LoadModelOptions): Promise<WeightFile> {
  const isOpen = typeof source === 'object' && source !== null && 'tensors' in source;
  return isOpen ? source : openWeights(source, options);
}

/** `{` */
const OPENING = 0x7b;

/** The last component of the source's path or URL. */
function nameOf(source: DataSource, { path }: OpenedFile): string {
  const { url, name } = source as { readonly url?: string; readonly name?: string };
  const whole = path ?? (typeof source === 'string' || source instanceof URL ? `${source}` : (name ?? url ?? ''));
  return (
    whole
      .replace(/[?#].*/, '')
      .split(/[/\\]/)
      .at(-1) || 'weights.safetensors'
  );
}

/** https://huggingface.co/docs/transformers/big_models#sharded-checkpoints */
async function readShards({ file, files, folder }: OpenedFile, name: string): Promise<WeightFile> {
  const { weight_map: map, metadata = {} } = await readJson<Index>(file, name);
  const isMap = typeof map === 'object' && map !== null && Object.values(map).every((f) => typeof f === 'string');
  if (!isMap) throw broken(name, 'not an index of safetensors files: weight_map is missing');
  const shards = new Map<string, LeftFile>();
  const tensors = new Map<string, StoredWeight>();
  for (const shard of new Set(Object.values(map))) {
    shards.set(shard, await files(shard));
    const found = await readSafetensors(shards.get(shard) as LeftFile, shard);
    for (const [weight, from] of Object.entries(map)) {
      if (from !== shard) continue;
      const tensor = found.tensors.get(weight);
      if (!tensor) throw broken(shard, `"${weight}" is missing, but ${name} lists it`);
      tensors.set(weight, tensor);
    }
  }
  return { format: 'safetensors', metadata, tensors, files: shards, beside: files, folder };
}

interface Index {
  readonly weight_map: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
