import { model, openPanel } from '../../store/workspace.js';

const fieldNow = () => document.querySelector<HTMLInputElement>('[aria-controls="found"]');

/** What was typed since the panel was asked for, while its code is loaded; null where it is there. */
let typed: string | null = null;

/** Gives the field what was typed for it before it was there. */
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

/** Ctrl+F, on a Mac ⌘F, looks in the model instead of the page; a second time it selects what was looked for. */
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
