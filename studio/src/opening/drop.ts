import { signal } from '@preact/signals';
import { filesDropped, filesListed } from './gather.js';
import { openAddress, openFiles } from './open.js';

/** Whether files are held over the page. */
export const isDropTarget = signal(false);

/** Takes files that are dropped on the page or pasted into it, and addresses that are pasted. */
export function acceptFiles(target: Window): void {
  target.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    isDropTarget.value = true;
  });
  target.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) isDropTarget.value = false;
  });
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    isDropTarget.value = false;
    if (event.dataTransfer) void filesDropped(event.dataTransfer).then(openFiles);
  });
  target.addEventListener('paste', (event) => {
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea')) return;
    const { files } = event.clipboardData ?? {};
    const text = event.clipboardData?.getData('text').trim();
    if (files?.length) void openFiles(filesListed(files));
    else if (text && /^(https?:|\.{0,2}\/)\S+$/.test(text)) void openAddress(text);
  });
}
