import { takeFiles } from '../../store/file-takers.js';
import { openPanel } from '../../store/workspace.js';
import { isLog } from '../../workers/contracts/log-files.js';

/** Dropping logs anywhere opens the panel that shows them. */
export const acceptLogs = (): (() => void) =>
  takeFiles(async (files) => {
    if (!files.some(({ path }) => isLog(path))) return false;
    const { openLogs } = await import('./open-logs.js');
    openPanel('watch');
    await openLogs(files.map(({ path, data }) => ({ path, file: data })));
    return true;
  });
