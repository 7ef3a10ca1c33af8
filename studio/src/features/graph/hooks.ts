import type { Rectangle } from '../../canvas/scene/rectangle.js';
import { rectangleIn } from '../../canvas/scene/rectangle.js';
import type { Target } from '../../canvas/scene/target.js';
import type { GraphHooks } from '../../canvas/view/view.js';
import { enterGraph, toggleModule } from '../../store/open-model.js';
import { seen } from '../../store/seen.js';
import { outline, setSelection } from '../../store/workspace.js';
import { enterOrOffer, hasGraphs, offered } from './offered-graphs.js';
import { pointed } from './tip.js';
import { camera } from './view.js';

const OVER = '.toolbar, .legend, .details, .tour, .task:not(:empty)';

/** The rectangles of the elements that overlay the drawing. */
function covers(): Rectangle[] {
  const host = document.querySelector('.graph');
  if (!host) return [];
  const { width, height } = host.getBoundingClientRect();
  return [...document.querySelectorAll(OVER)]
    .map((element) => rectangleIn(host, element))
    .filter((cover) => cover.width > 0 && cover.height > 0)
    .filter(({ x, y, ...size }) => x < width && y < height && x + size.width > 0 && y + size.height > 0);
}

function details(target: Target): void {
  setSelection(target);
  requestAnimationFrame(() =>
    [...document.querySelectorAll<HTMLElement>('.details button')].find((button) => button.checkVisibility())?.focus(),
  );
}

/** The page's callbacks for the drawing. */
export const hooks: GraphHooks = {
  select(target) {
    setSelection(target ?? null);
    offered.value = null;
  },
  details,
  enter(target, x, y) {
    if (target.kind === 'node' && hasGraphs(target.index)) void enterOrOffer(target.index, x, y);
    else details(target);
  },
  hover(target, x, y) {
    pointed.value = target ? { target, x, y } : null;
  },
  covers,
  moved(now) {
    camera.value = now;
  },
  toggle: (module) => void toggleModule(module),
  frame() {
    seen();
  },
  leave() {
    const path = outline.value?.path ?? '';
    if (path) void enterGraph(path.split('/').slice(0, -2).join('/'));
  },
};
