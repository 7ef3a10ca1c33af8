import { model, openPanel } from '../../store/workspace.js';

/** Ctrl+F, on a Mac ⌘F, looks in the model instead of the page; a second time it selects what was looked for. */
export function openFindByKey(target: Window): void {
  target.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'f') return;
    if (!model.value) return;
    event.preventDefault();
    openPanel('find');
    document.querySelector<HTMLInputElement>('[aria-controls="found"]')?.select();
  });
}
