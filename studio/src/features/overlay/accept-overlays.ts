import { takeFiles } from '../../store/file-takers.js';
import { model } from '../../store/workspace.js';

/** Opens a JSON file dropped on an open model as an overlay, if its format is known. */
export const acceptOverlays = (): (() => void) =>
  takeFiles(async (files) => {
    const [file] = files;
    if (!model.value || !file || files.length > 1 || !/\.json$/i.test(file.path)) return false;
    const { openOverlay } = await import('./open-overlay.js');
    return openOverlay(file.data);
  });
