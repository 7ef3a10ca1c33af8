import type { GraphHooks } from '../../canvas/view/view.js';
import { enterGraph, toggleModule } from '../../store/open-model.js';
import { seen } from '../../store/seen.js';
import { outline, setSelection } from '../../store/workspace.js';
import { covers } from './covers.js';
import { pointed } from './tip.js';

/** What the drawing asks of the page. */
export const hooks: GraphHooks = {
  select(target) {
    setSelection(target ?? null);
  },
  details(target) {
    setSelection(target);
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
