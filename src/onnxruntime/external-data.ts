import { SardonyxError } from '../errors.js';
import type { FileType, InferenceSession } from './inference-session.js';

type Given = NonNullable<InferenceSession.SessionOptions['externalData']>[number];

interface ExternalFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** Files of tensor data as a session takes them; one given by its address alone is known by its name too. */
export async function externalFiles(given: readonly Given[]): Promise<ExternalFile[]> {
  const files = given.map(async (file): Promise<ExternalFile[]> => {
    if (typeof file !== 'string') return [{ path: file.path, data: await bytesOf(file.data) }];
    const data = await bytesAt(file);
    return [file, file.slice(file.lastIndexOf('/') + 1)].map((path) => ({ path, data }));
  });
  return (await Promise.all(files)).flat();
}

async function bytesOf(data: FileType): Promise<Uint8Array> {
  if (data instanceof Uint8Array) return data;
  if (typeof data === 'string') return bytesAt(data);
  return new Uint8Array(data instanceof Blob ? await data.arrayBuffer() : data);
}

type Files = typeof import('node:fs/promises');

/** The file at a URL or, where there is a file system, at a path. */
async function bytesAt(place: string): Promise<Uint8Array> {
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises') as Files | undefined;
  if (files && !/^(https?|data|blob):/.test(place)) return files.readFile(place);
  const response = await fetch(place);
  if (!response.ok)
    throw new SardonyxError('EXTERNAL_DATA', `cannot fetch ${place}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
