import { loadModel } from '../../../src/tools/index.js';
import type { Outline } from '../../../studio/src/graph/outline.js';
import type { Modules, Picture } from '../../../studio/src/graph/picture.js';
import { drawable } from '../../../studio/src/layout/drawable.js';
import { pictureOf } from '../../../studio/src/layout/picture.js';
import { layoutService } from '../../../studio/src/layout/service.js';
import { outlineOf } from '../../../studio/src/workers/documents/outline-of.js';

export interface Pictures {
  readonly outline: Outline;
  readonly modules: Modules;
  readonly closed: Picture;
  readonly opened: Picture;
}

export const all = ({ count }: Modules): number[] => Array.from({ length: count }, (_, i) => i);

export async function outlineAt(path: string): Promise<Outline> {
  const { graph } = (await loadModel(path)).proto;
  if (!graph) throw new Error(`${path} has no graph`);
  return outlineOf(graph);
}

export async function picturesOf(path: string): Promise<Pictures> {
  const outline = await outlineAt(path);
  const service = layoutService();
  const modules = service.open(outline);
  const closed = service.picture({ opened: [], direction: 'down', folds: true });
  const opened = service.picture({ opened: all(modules), direction: 'down', folds: true });
  return { outline, modules, closed, opened };
}

/** What is drawn where there are no modules. */
export function flatPicture(outline: Outline): Picture {
  const none = {
    count: 0,
    parent: new Int32Array(0),
    title: [],
    path: [],
    size: new Int32Array(0),
    alike: new Int32Array(0),
  };
  const modules = { ...none, ofNode: new Int32Array(outline.nodes.count).fill(-1) };
  return pictureOf(drawable(outline, modules, true, 'down'), []);
}
