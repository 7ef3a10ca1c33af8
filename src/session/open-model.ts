import { builtin } from '../../bindings/builtin.js';
import { SardonyxError } from '../errors.js';
import type { Model } from '../graph/graph.js';
import { externalFiles } from '../model/external-data.js';
import { loadModelFile } from '../model/files.js';
import { readModel } from '../model/read-model.js';
import type { SessionOptions } from './options.js';

/** Bytes of an ONNX file, or where to find it. */
export type ModelSource = Uint8Array | ArrayBuffer | SharedArrayBuffer | string | URL;

export async function openModel(source: ModelSource, { externalData = [] }: SessionOptions): Promise<Model> {
  const external = externalFiles(externalData.map(({ path, data }) => ({ path, data: asBytes(data) })));
  if (typeof source !== 'string' && !(source instanceof URL))
    return readModel(asBytes(source), { externalData: external });
  const url = urlOf(source);
  if (!url) return loadModelFile(source as string);
  const files = url.protocol === 'file:' && builtin('url');
  if (files) return loadModelFile(files.fileURLToPath(url));
  const response = await fetch(url);
  if (!response.ok)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `cannot fetch the model ${url}: ${response.status} ${response.statusText}`,
    );
  return readModel(new Uint8Array(await response.arrayBuffer()), { externalData: external });
}

function asBytes(data: Uint8Array | ArrayBufferLike): Uint8Array {
  if (data instanceof Uint8Array) return data;
  const isBuffer =
    data instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && data instanceof SharedArrayBuffer);
  if (!isBuffer)
    throw new SardonyxError('INVALID_ARGUMENT', 'a model is given as Uint8Array, ArrayBuffer, path or URL');
  return new Uint8Array(data);
}

/** The URL that `source` is; undefined for a path. In a page and its workers, relative addresses are URLs. */
function urlOf(source: string | URL): URL | undefined {
  if (source instanceof URL) return source;
  if (/^(https?|file|data|blob):/.test(source)) return new URL(source);
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  return base ? new URL(source, base) : undefined;
}
