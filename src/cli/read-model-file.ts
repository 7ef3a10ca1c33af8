import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SardonyxError } from '../base/errors.js';
import type { ExternalData } from '../model/external-data.js';
import { folderData, openModelFile } from '../model/files.js';
import { modelSource } from './model-source.js';

/** The bytes of a model, and where its external data are. */
export interface ModelBytes {
  readonly bytes: Uint8Array;
  readonly externalData?: ExternalData;
}

/** What Node reads at once. */
const MAX_BYTES = 2 ** 31 - 1;

/** A model whole, as it is in its file; where that is larger, without its larger tensors. */
export async function readModelFile(argument: string): Promise<ModelBytes> {
  const source = await modelSource(argument);
  if (typeof source !== 'string') return { bytes: source };
  if (/^https?:/.test(source)) return { bytes: await download(source) };
  const size = statSync(source, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > MAX_BYTES) {
    const { bytes, external } = openModelFile(source);
    return { bytes, externalData: external };
  }
  return { bytes: readFileSync(source), externalData: folderData(dirname(source)) };
}

async function download(url: string): Promise<Uint8Array> {
  const refuse = (why: string, cause?: unknown) =>
    new SardonyxError('DOWNLOAD', `the model ${url} did not come: ${why}`, {}, { cause });
  const response = await fetch(url).catch((cause: Error) => {
    throw refuse(cause.message, cause);
  });
  if (!response.ok) throw refuse(`the server says ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
