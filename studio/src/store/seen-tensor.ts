import { type ReadonlySignal, signal } from '@preact/signals';
import type { TensorLook } from '../workers/contracts/tensors.js';

/** A tensor being inspected, wherever its data are. */
export interface SeenTensor {
  readonly title: string;
  readonly type: string;
  readonly dims: readonly number[];
  readonly look: TensorLook;
  /** Sets an element, by its row-major index, to the text in the table; only for tensors that can be edited. */
  readonly write?: (element: number, text: string) => Promise<void>;
}

const own = signal<SeenTensor | null>(null);
/** The tensor in the tensor dialog; null while it is closed. */
export const seen: ReadonlySignal<SeenTensor | null> = own;

export function showTensor(tensor: SeenTensor): void {
  own.value = tensor;
}

export function closeTensor(): void {
  own.value = null;
}
