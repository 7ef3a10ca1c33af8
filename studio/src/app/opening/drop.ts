import { setDropTarget } from '../../store/file-takers.js';
import { filesDropped, filesListed } from '../../store/found-files.js';
import { openAddress, openFiles } from './open.js';
import { keepRecent } from './recent.js';

/** Accepts files dropped on the page or pasted into it, and pasted addresses. */
export function acceptFiles(target: Window): void {
  target.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    setDropTarget(true);
  });
  target.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) setDropTarget(false);
  });
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    setDropTarget(false);
    if (event.dataTransfer) void openDropped(event.dataTransfer);
  });
  target.addEventListener('paste', (event) => {
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea')) return;
    const { files } = event.clipboardData ?? {};
    const text = event.clipboardData?.getData('text').trim();
    if (files?.length) void openFiles(filesListed(files));
    else if (text && /^(https?:|\.{0,2}\/)\S+$/.test(text)) void openAddress(text);
  });
}

/** Entries, and handles that can be stored, must be read while the event is being handled. */
async function openDropped(transfer: DataTransfer): Promise<void> {
  const taken = [...transfer.items].map((item) => item.getAsFileSystemHandle?.());
  const found = await filesDropped(transfer);
  await openFiles(found);
  const handles = await Promise.all(taken);
  await keepRecent(
    handles.filter((handle) => handle !== null && handle !== undefined),
    found,
  );
}

declare global {
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
}
