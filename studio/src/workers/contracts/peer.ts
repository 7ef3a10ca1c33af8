import type { TensorValue } from 'sardonyx';
import type { ModelFiles } from './documents.js';

export type PeerValues = Readonly<Record<string, TensorValue>>;

/** Another runtime in a worker: onnxruntime-web. */
export interface PeerService {
  /** @param folder the address of its files. @returns its version and the milliseconds that opening took */
  open(folder: string, files: ModelFiles, settings: PeerSettings): Promise<{ version: string; milliseconds: number }>;
  /** Milliseconds of one run, of the outputs wanted or all that are tensors; the feeds stay for `time`. */
  run(feeds: PeerValues, wanted?: readonly string[]): Promise<{ milliseconds: number; values: PeerValues }>;
  /** Milliseconds of another run of the same feeds. */
  time(): Promise<number>;
}

export interface PeerSettings {
  readonly threads: number;
  readonly level: 'all' | 'disabled';
}
