import { announce, note } from '../../store/notices.js';
import { openPanel } from '../../store/workspace.js';
import { overlayOf } from './formats.js';
import { reachOf } from './in-graph.js';
import { overlay, overlayBy } from './overlay.js';
import { placed } from './placed.js';

/** Opens a file as an overlay of the model in view; false if its format is unknown. */
export async function openOverlay(file: File): Promise<boolean> {
  const found = overlayOf(await file.text(), file.name);
  if (!found) return false;
  overlay.value = found;
  const there = placed.value;
  overlayBy.value = there?.titles[0] ?? '';
  const isOfModel = found.remarks.some(({ of }) => of === 'model');
  if (!there || (there.nodes.size + there.values.size === 0 && !isOfModel))
    note(
      `${file.name} does not match this graph`,
      'No key in the file is the name of a node in this graph or of one of its outputs.',
    );
  else announce(`${file.name}: metrics for ${reachOf(there)}`);
  openPanel('model');
  return true;
}
