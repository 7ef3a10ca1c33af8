import type { Outline } from '../graph/outline.js';
import { drawable } from './drawable.js';
import { modulesOf } from './modules.js';
import { pictureOf } from './picture.js';

/** Lays a graph out, closed and open, for nothing but that the code for it is compiled. */
export function rehearse(outline: Outline): void {
  const modules = modulesOf(outline);
  const graph = drawable(outline, modules, true, 'down');
  for (const opened of [[], Array.from({ length: modules.count }, (_, module) => module)]) pictureOf(graph, opened);
}
