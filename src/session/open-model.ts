import type { Model } from '../graph/graph.js';
import { type Harbor, onHeap } from '../loading/berth.js';
import { bringExternal } from '../loading/external-files.js';
import { checkHead } from '../loading/first-bytes.js';
import { Loading, type LoadOptions } from '../loading/loading.js';
import { type DataSource, type ExternalFile, type Opened, openSource } from '../loading/source.js';
import { receiveModel } from '../loading/split-model.js';
import type { ExternalData } from '../model/external-data.js';
import { externalRanges } from '../model/external-ranges.js';
import { openModelFile } from '../model/files.js';
import { decodeModel, modelOf } from '../model/read-model.js';

/** An ONNX file, or where to find it. */
export type ModelSource = DataSource;

export interface OpenOptions extends LoadOptions {
  readonly externalData?: readonly ExternalFile[];
}

/** Reads a model from wherever it is; what is downloaded goes into the harbor as it arrives. */
export async function openModel(
  source: ModelSource,
  { externalData: given = [], ...options }: OpenOptions,
  harbor: Harbor | Promise<Harbor> = onHeap,
): Promise<Model> {
  const loading = new Loading(options);
  try {
    loading.check();
    const opened = await openSource(source, loading);
    const { bytes, external } = await bring(opened, loading, await harbor);
    const proto = decodeModel(bytes);
    const wanted = externalRanges(proto);
    const surroundings = { given, beside: opened.beside, rest: external };
    const files = await bringExternal(wanted, surroundings, loading, await harbor);
    loading.check();
    return modelOf(proto, files);
  } catch (cause) {
    loading.check();
    throw cause;
  } finally {
    loading.close();
  }
}

interface Contents {
  readonly bytes: Uint8Array;
  readonly external?: ExternalData;
}

async function bring(opened: Opened, loading: Loading, harbor: Harbor): Promise<Contents> {
  if (opened.kind === 'incoming') return receiveModel(opened.file, loading, harbor);
  const name = opened.kind === 'path' ? opened.path : (opened.name ?? 'model');
  if (opened.kind === 'bytes') checkHead(name, opened.bytes.subarray(0, 32));
  const contents = opened.kind === 'path' ? openModelFile(name) : { bytes: opened.bytes, size: opened.bytes.length };
  loading.meter.file(name)(contents.size, contents.size);
  return contents;
}
