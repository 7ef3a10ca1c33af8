import type { Outline } from '../graph/outline.js';
import { drawable } from './drawable.js';
import { modulesOf } from './modules.js';
import { pictureOf } from './picture.js';

/** Lays out a graph, closed and open, only to get the code compiled. */
export function rehearse(outline: Outline): void {
  const modules = modulesOf(outline);
  const graph = drawable(outline, modules, true, 'down');
  for (const opened of [[], Array.from({ length: modules.count }, (_, module) => module)]) pictureOf(graph, opened);
}
