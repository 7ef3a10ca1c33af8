import { announce, note } from '../../store/notices.js';
import { openPanel } from '../../store/workspace.js';
import { overlayOf } from './formats.js';
import { reachOf } from './in-graph.js';
import { overlay, overlayBy } from './overlay.js';
import { placed } from './placed.js';

/** Lays a file over the model in view; false where it is of no format that is known. */
export async function openOverlay(file: File): Promise<boolean> {
  const found = overlayOf(await file.text(), file.name);
  if (!found) return false;
  overlay.value = found;
  const there = placed.value;
  overlayBy.value = there?.titles[0] ?? '';
  const isOfModel = found.remarks.some(({ of }) => of === 'model');
  if (!there || (there.nodes.size + there.values.size === 0 && !isOfModel))
    note(
      `${file.name} says nothing of this graph`,
      'It is about other nodes: names of nodes or of their outputs lead to them.',
    );
  else announce(`${file.name}: figures of ${reachOf(there)}`);
  openPanel('model');
  return true;
}
