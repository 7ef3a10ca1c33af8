import { type ReadonlySignal, signal } from '@preact/signals';
import type { TensorLook } from '../workers/contracts/tensors.js';

/** A tensor that somebody looks at, wherever its data are. */
export interface SeenTensor {
  readonly title: string;
  readonly type: string;
  readonly dims: readonly number[];
  readonly look: TensorLook;
  /** Sets an element, by its place in row-major order, as the table writes it; of what can be changed alone. */
  readonly write?: (element: number, text: string) => Promise<void>;
}

const own = signal<SeenTensor | null>(null);
/** What the tensors' dialog shows; null while it is closed. */
export const seen: ReadonlySignal<SeenTensor | null> = own;

export function showTensor(tensor: SeenTensor): void {
  own.value = tensor;
}

export function closeTensor(): void {
  own.value = null;
}
