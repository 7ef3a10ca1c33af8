import { signal } from '@preact/signals';
import { guardModel } from '../../store/open-model.js';
import { isUnsaved } from '../../store/unsaved.js';

/** A model waiting to replace one with unsaved changes. */
export interface Leaving {
  readonly next: string;
  readonly answer: (mayLeave: boolean) => void;
}

export const leaving = signal<Leaving | null>(null);

/** Asks before unsaved changes are lost by opening another model or leaving the page. */
export function keepEdits(window: Window): void {
  window.addEventListener('beforeunload', (event) => {
    if (isUnsaved.peek()) event.preventDefault();
  });
  guardModel((next) => {
    if (!isUnsaved.peek()) return Promise.resolve(true);
    leaving.peek()?.answer(false);
    return new Promise((resolve) => {
      leaving.value = {
        next,
        answer(mayLeave) {
          leaving.value = null;
          resolve(mayLeave);
        },
      };
    });
  });
}
