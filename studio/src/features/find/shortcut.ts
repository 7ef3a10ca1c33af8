import { model, openPanel } from '../../store/workspace.js';

const fieldNow = () => document.querySelector<HTMLInputElement>('[aria-controls="found"]');

/** Text typed while the panel's code is loading; null if it isn't loading. */
let typed: string | null = null;

/** Returns the text typed before the field was available. */
export function takeTyped(): string {
  const text = typed ?? '';
  typed = null;
  return text;
}

function typeAhead(event: KeyboardEvent): void {
  if (typed === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
  else return;
  event.preventDefault();
}

/** Ctrl+F (⌘F on a Mac) searches the model instead of the page; pressed again, it selects the search text. */
export function openFindByKey(target: Window): void {
  target.addEventListener('keydown', (event) => {
    typeAhead(event);
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'f') return;
    if (!model.value) return;
    event.preventDefault();
    openPanel('find');
    if (fieldNow()) fieldNow()?.select();
    else typed ??= '';
  });
}
