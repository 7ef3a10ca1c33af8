import { signal } from '@preact/signals';
import type { TensorLook } from './look.js';

/** A tensor that somebody looks at, wherever its data are. */
export interface SeenTensor {
  readonly title: string;
  readonly type: string;
  readonly dims: readonly number[];
  readonly look: TensorLook;
}

/** What the tensors' dialog shows; null while it is closed. */
export const seen = signal<SeenTensor | null>(null);
