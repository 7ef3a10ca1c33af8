import type { TensorValue } from 'sardonyx';
import type { ModelFiles } from './documents.js';

export type PeerValues = Readonly<Record<string, TensorValue>>;

/** Another runtime in a worker: onnxruntime-web. */
export interface PeerService {
  /** @param folder the URL of its files. @returns its version and the milliseconds taken to open the model */
  open(folder: string, files: ModelFiles, settings: PeerSettings): Promise<{ version: string; milliseconds: number }>;
  /** Runs once, by default for all tensor outputs, and returns the values and the time; keeps the feeds for `time`. */
  run(feeds: PeerValues, wanted?: readonly string[]): Promise<{ milliseconds: number; values: PeerValues }>;
  /** Milliseconds of another run with the same feeds. */
  time(): Promise<number>;
}

export interface PeerSettings {
  readonly threads: number;
  readonly level: 'all' | 'disabled';
}
