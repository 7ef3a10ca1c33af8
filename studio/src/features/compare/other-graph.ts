import { wrap } from 'comlink';
import type { Outline } from '../../graph/outline.js';
import type { LayoutService, Modules, Picture } from '../../graph/picture.js';
import type { Shown } from '../../graph/shown.js';
import { withTypes } from '../../store/with-types.js';
import { documents } from '../../store/workers/documents.js';
import { startWorker } from '../../store/workers/start-worker.js';
import type { Mark } from '../../store/workspace.js';
import type { Comparison } from './comparison.js';
import { marksOf } from './in-view.js';

/** The counterpart of the graph in view. */
export interface OtherGraph {
  readonly outline: Outline;
  readonly modules: Modules;
  readonly marks: ReadonlyMap<number, Mark>;
  /** Its node for each node in view; -1 if there is none. */
  readonly nodes: Int32Array;
}

interface Ways {
  /** Paths of modules. */
  readonly opened: ReadonlySet<string>;
  readonly direction: 'down' | 'right';
  readonly folds: boolean;
  readonly shown: Shown;
}

/** The model of `side`, while `1 - side` is in view, and a worker that lays out its graphs. */
export function otherModel(comparison: Comparison, side: 0 | 1) {
  const worker = startWorker('layout');
  const layout = wrap<LayoutService>(worker);
  const opening = documents.open(side === 0 ? comparison.before : comparison.after);
  return {
    /** The counterpart of the graph in view at a path; null if there is none. */
    async graph(inView: string): Promise<OtherGraph | null> {
      const { path, nodes } = await comparison.service.counterparts(side === 0 ? 1 : 0, inView);
      if (path === null) return null;
      const document = await opening;
      const bare = path === '' ? document.outline : await documents.outline(document.id, path);
      const outline = withTypes(bare, await documents.types(document.id, path));
      return { outline, modules: await layout.open(outline), marks: await marksOf(comparison, side, path), nodes };
    },
    async picture({ outline, modules }: OtherGraph, { opened, shown, ...ways }: Ways): Promise<Drawing> {
      const isAny = Object.values(shown).some(Boolean);
      const lines = isAny ? await documents.nodeLines((await opening).id, outline.path, shown) : [];
      await layout.describe(lines);
      const indices = [...opened].map((path) => modules.path.indexOf(path)).filter((module) => module >= 0);
      return { lines, picture: await layout.picture({ opened: indices, ...ways }) };
    },
    end() {
      worker.terminate();
      opening.then(
        ({ id }) => documents.close(id),
        () => {},
      );
    },
  };
}

interface Drawing {
  readonly lines: readonly string[];
  readonly picture: Picture;
}
