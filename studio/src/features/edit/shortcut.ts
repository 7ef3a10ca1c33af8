import { model } from '../../store/workspace.js';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

export const save = async (): Promise<void> => {
  const { saveAsFile } = await import('./save.js');
  await saveAsFile();
};

/** Ctrl (⌘) S saves. Undo and redo work anywhere in the page except in text fields, which have their own undo. */
export function editByKey(window: Window): void {
  window.addEventListener('keydown', (event) => {
    const isOfSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's';
    if (isOfSave && model.peek()) {
      event.preventDefault();
      void save();
    }
    const isOfUndo = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
    if (!isOfUndo || !model.peek() || isTyping(event.target)) return;
    event.preventDefault();
    void import('./undo-keys.js').then(({ followUndoKeys }) => followUndoKeys(event));
  });
}
