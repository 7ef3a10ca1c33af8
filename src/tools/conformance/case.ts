import { readValue } from '../../model/read-values.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import type { DataSet, Trial } from './layout.js';
import type { ReadValue } from './values.js';

/** The contents of a file, or a function that reads them when they are needed. */
export type CaseFile = Uint8Array | Blob | (() => Uint8Array | Promise<Uint8Array>);

/**
 * A test case: a model and its data sets. Inputs and outputs are serialized values by position; undefined if a file is
 * missing.
 */
export type ConformanceCase = Trial<CaseFile>;

/** The inputs and expected outputs of one run of a test case. */
export type ConformanceDataSet = DataSet<CaseFile>;

export async function bytesIn(file: CaseFile): Promise<Uint8Array> {
  if (typeof file === 'function') return file();
  return 'arrayBuffer' in file ? new Uint8Array(await file.arrayBuffer()) : file;
}

export const readFile: ReadValue<CaseFile> = async (file, kind): Promise<HostValue> =>
  readValue(await bytesIn(file), kind);
