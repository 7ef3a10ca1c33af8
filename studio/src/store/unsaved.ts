import { computed, signal } from '@preact/signals';
import { model } from './workspace.js';

/** A document's position in its history, and that of its last save; NaN if undo and redo no longer lead there. */
interface Position {
  readonly id: number;
  readonly at: number;
  readonly saved: number;
}

const position = signal<Position | null>(null);

const of = (id: number | undefined): Position => {
  const known = position.value;
  return known && known.id === id ? known : { id: id ?? 0, at: 0, saved: 0 };
};

/** Whether the model in view differs from its file. */
export const isUnsaved = computed(() => {
  const { at, saved } = of(model.value?.id);
  return at !== saved;
});

/** Notes a change, an undo or a redo of a document. */
export function noteStep(id: number, step: 'change' | 'undo' | 'redo'): void {
  const { at, saved } = of(id);
  const isLost = step === 'change' && saved > at;
  position.value = { id, at: step === 'undo' ? at - 1 : at + 1, saved: isLost ? Number.NaN : saved };
}

/** Call the returned function once the document is saved in its current state. */
export function savingNow(id: number): () => void {
  const { at } = of(id);
  return () => {
    position.value = { ...of(id), saved: at };
  };
}
