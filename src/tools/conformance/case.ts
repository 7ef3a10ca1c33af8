import { readValue } from '../../model/read-values.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import type { DataSet, Trial } from './layout.js';
import type { ReadValue } from './values.js';

/** A file's bytes, or what gives them when it is their turn. */
export type CaseFile = Uint8Array | Blob | (() => Uint8Array | Promise<Uint8Array>);

/** A model, and what it is to give: serialized values by position, those without a file being undefined. */
export type ConformanceCase = Trial<CaseFile>;

export type ConformanceDataSet = DataSet<CaseFile>;

export async function bytesIn(file: CaseFile): Promise<Uint8Array> {
  if (typeof file === 'function') return file();
  return 'arrayBuffer' in file ? new Uint8Array(await file.arrayBuffer()) : file;
}

export const readFile: ReadValue<CaseFile> = async (file, kind): Promise<HostValue> =>
  readValue(await bytesIn(file), kind);
