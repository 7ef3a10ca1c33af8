import { SardonyxError } from '../base/errors.js';

/** The progress of a download. */
export interface LoadProgress {
  /** URL of the file, or its path in the model; `model` if it has no name. */
  readonly file: string;
  /** Bytes of the file that have arrived. */
  readonly loaded: number;
  /** Size of the file in bytes; undefined if unknown, as for a compressed transfer. */
  readonly total: number | undefined;
  /** The totals over all files known so far. */
  readonly all: { readonly loaded: number; readonly total: number | undefined };
}

export type OnProgress = (progress: LoadProgress) => void;

/** The error for an exception in a callback of the caller. */
export function callbackFailed(name: string, cause: unknown): SardonyxError {
  if (cause instanceof SardonyxError) return cause;
  return new SardonyxError('INVALID_ARGUMENT', `${name} failed: ${(cause as Error)?.message ?? cause}`, {}, { cause });
}

/** Reports the progress of one file to a meter. */
export type FileMeter = (loaded: number, total: number | undefined) => void;

/** Adds up the progress of files. Reported progress never decreases, and stops once the meter is closed. */
export class ProgressMeter {
  readonly #files = new Map<string, { loaded: number; total: number | undefined }>();
  #report: OnProgress | undefined;

  constructor(report?: OnProgress) {
    this.#report = report;
  }

  file(name: string): FileMeter {
    const known = this.#files.get(name) ?? { loaded: -1, total: undefined };
    this.#files.set(name, known);
    return (loaded, total) => {
      if (loaded < known.loaded || (loaded === known.loaded && total === known.total)) return;
      Object.assign(known, { loaded, total });
      try {
        this.#report?.({ file: name, loaded, total, all: this.#sum() });
      } catch (cause) {
        throw callbackFailed('onProgress', cause);
      }
    };
  }

  close(): void {
    this.#report = undefined;
  }

  #sum(): LoadProgress['all'] {
    let [loaded, total]: [number, number | undefined] = [0, 0];
    for (const file of this.#files.values()) {
      loaded += Math.max(0, file.loaded);
      total = total === undefined || file.total === undefined ? undefined : total + file.total;
    }
    return { loaded, total };
  }
}
