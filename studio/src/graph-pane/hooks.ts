import type { GraphHooks } from '../canvas/view/view.js';
import { enterGraph, toggleModule } from '../workspace/open-model.js';
import { seen } from '../workspace/seen.js';
import { outline, selection } from '../workspace/workspace.js';
import { covers } from './covers.js';
import { pointed } from './tip.js';

/** What the drawing asks of the page. */
export const hooks: GraphHooks = {
  select(target) {
    selection.value = target ?? null;
  },
  details(target) {
    selection.value = target;
    requestAnimationFrame(() =>
      [...document.querySelectorAll<HTMLElement>('.details button')]
        .find((button) => button.checkVisibility())
        ?.focus(),
    );
  },
  hover(target, x, y) {
    pointed.value = target ? { target, x, y } : null;
  },
  covers,
  toggle: (module) => void toggleModule(module),
  frame() {
    seen();
  },
  leave() {
    const path = outline.value?.path ?? '';
    if (path) void enterGraph(path.split('/').slice(0, -2).join('/'));
  },
};
