import { takeFiles } from '../../app/opening/open.js';
import { panel } from '../../store/workspace.js';

/** Names that logs have: logs/formats.ts and logs/tsv.ts, which are loaded with the panel. */
const LOG = /(tfevents|vdlrecords)[^/]*$|(^|\/)tensors\.tsv$/;

/** Logs that are dropped anywhere open the panel that shows them. */
export const acceptLogs = (): (() => void) =>
  takeFiles(async (files) => {
    if (!files.some(({ path }) => LOG.test(path))) return false;
    const { openLogs } = await import('./open-logs.js');
    panel.value = 'watch';
    await openLogs(files.map(({ path, data }) => ({ path, file: data })));
    return true;
  });
