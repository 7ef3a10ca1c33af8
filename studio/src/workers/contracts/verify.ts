import type { Bounds, Verification, VerifiedOutput } from 'sardonyx/model';

export type { Bounds, Verification, VerifiedOutput };

/** The dropped or chosen files: by path, as a single zip file, or as a folder that is read in place. */
export type Chosen =
  | { readonly kind: 'files'; readonly files: readonly { readonly path: string; readonly data: File }[] }
  | { readonly kind: 'folder'; readonly handle: FileSystemDirectoryHandle };

export interface Progress {
  /** The number of models that are done, and their total. */
  readonly done: number;
  readonly total: number;
  /** `lstm, data set 1`. */
  readonly at: string;
  /** Results since the last progress report. */
  readonly outputs: readonly VerifiedOutput[];
}

export interface Options extends Bounds {
  /** Kernels with identical results on every host, like `sardonyx verify --variant simd`, or the fastest in this browser. */
  readonly variant: 'simd' | 'auto';
}

/** The only task of a worker; terminate the worker to cancel it. */
export interface VerifyService {
  verify(chosen: Chosen, options: Options, onProgress: (progress: Progress) => void): Promise<Verification>;
}
