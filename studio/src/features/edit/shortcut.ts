import { model } from '../../store/workspace.js';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** Undo and redo by keys anywhere in the page but where text is typed, which has an undo of its own. */
export function undoByKey(window: Window): void {
  window.addEventListener('keydown', (event) => {
    const isOfUndo = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
    if (!isOfUndo || !model.peek() || isTyping(event.target)) return;
    event.preventDefault();
    void import('./undo-keys.js').then(({ followUndoKeys }) => followUndoKeys(event));
  });
}
