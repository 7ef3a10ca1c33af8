import type { Bounds, Verification, VerifiedOutput } from 'sardonyx/model';

export type { Bounds, Verification, VerifiedOutput };

/** What was dropped or chosen: files by their paths, a zip file among them alone, or a folder that is read in place. */
export type Chosen =
  | { readonly kind: 'files'; readonly files: readonly { readonly path: string; readonly data: File }[] }
  | { readonly kind: 'folder'; readonly handle: FileSystemDirectoryHandle };

export interface Progress {
  /** Models that are done with, and how many there are. */
  readonly done: number;
  readonly total: number;
  /** `lstm, data set 1`. */
  readonly at: string;
  /** What has been found since the last word. */
  readonly outputs: readonly VerifiedOutput[];
}

export interface Options extends Bounds {
  /** Kernels whose figures are the same in every host, as those of `sardonyx verify --variant simd`, or the fastest of this browser. */
  readonly variant: 'simd' | 'auto';
}

/** A worker's whole work; it is ended by ending the worker. */
export interface VerifyService {
  verify(chosen: Chosen, options: Options, onProgress: (progress: Progress) => void): Promise<Verification>;
}
