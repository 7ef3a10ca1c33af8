import { note, report, task } from '../../store/notices.js';
import { isLog } from '../../workers/contracts/log-files.js';
import type { LogSource } from '../../workers/contracts/logs.js';
import { logs } from './logs.js';
import { hidden, overview } from './state.js';

/** Opens logs in addition to those already open. */
export async function openLogs(sources: readonly LogSource[]): Promise<void> {
  const read = await task('Reading logs', () => logs.open(sources));
  if (!read) return;
  if (read.runs.length === 0) note('No log found in these files', 'The name of a log contains tfevents or vdlrecords.');
  else overview.value = read;
}

export async function closeLogs(): Promise<void> {
  await logs.close();
  hidden.value = new Set();
  overview.value = null;
}

/** Reads new data in the files. */
export async function poll(): Promise<void> {
  const read = await logs.poll();
  if (read) overview.value = read;
}

/** Whether a drop has a log, or a folder that may contain logs. */
export const hasLogs = (transfer: DataTransfer): boolean =>
  [...transfer.items].some((item) => {
    const entry = item.webkitGetAsEntry();
    return entry?.isDirectory || (entry && isLog(entry.name));
  });

/** The dropped sources, as handles if the browser supports them: those are read again as they grow. */
export async function sourcesDropped(transfer: DataTransfer): Promise<LogSource[]> {
  const found = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ item, file: item.getAsFile(), handle: handleOf(item) }));
  const sources = await Promise.all(
    found.map(async ({ file, handle }): Promise<LogSource[]> => {
      const given = await handle;
      if (given) return [{ path: given.name, handle: given }];
      return file ? [{ path: file.name, file }] : [];
    }),
  );
  return sources.flat();
}

type Handle = FileSystemFileHandle | FileSystemDirectoryHandle;
const handleOf = (item: DataTransferItem): Promise<Handle | null> =>
  (item as unknown as { getAsFileSystemHandle?(): Promise<Handle | null> }).getAsFileSystemHandle?.() ??
  Promise.resolve(null);

type Picker = (options?: object) => Promise<FileSystemDirectoryHandle>;

/** Picks a folder, which is followed if the browser gives a handle; else its files in their current state. */
export async function pickFolder(): Promise<void> {
  const { showDirectoryPicker } = window as unknown as { showDirectoryPicker?: Picker };
  if (!showDirectoryPicker) return pickFiles(true);
  try {
    const handle = await showDirectoryPicker.call(window, { id: 'logs' });
    await openLogs([{ path: handle.name, handle }]);
  } catch (error) {
    if ((error as Error).name !== 'AbortError') report('Cannot read the folder', error as Error);
  }
}

export function pickFiles(isFolder = false): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = isFolder;
  input.onchange = () =>
    void openLogs([...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
  input.click();
}
