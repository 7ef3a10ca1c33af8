import { BoxKind } from '../../graph/picture.js';
import type { Dress } from '../paint/dress.js';
import { grown, type Rectangle } from '../scene/rectangle.js';
import type { Scene } from '../scene/scene.js';
import { description } from './description.js';

/** The state that the tree mirrors. */
export interface Shown {
  readonly scene: Scene;
  readonly dress: Dress;
  /** In picture coordinates. */
  readonly window: Rectangle;
  /** The selected box, or -1. */
  readonly selected: number;
  /** Converts from picture to screen coordinates. */
  readonly place: (box: number) => Rectangle;
}

/** The screen reader tree of a drawing: one item per visible box, up to MOST_ITEMS, nearest to the selection first. */
export interface AccessibleTree {
  readonly element: HTMLElement;
  show(shown: Shown): void;
}

export const MOST_ITEMS = 300;

let trees = 0;

export function createTree(): AccessibleTree {
  const element = document.createElement('div');
  const prefix = `graph-${++trees}-`;
  element.className = 'graph-tree';
  element.tabIndex = 0;
  const items: HTMLElement[] = [];
  return {
    element,
    show(shown) {
      const boxes = mirrored(shown);
      name(element, shown.scene.picture.boxes.count);
      while (items.length < boxes.length) items.push(element.appendChild(document.createElement('div')));
      for (const surplus of items.splice(boxes.length)) surplus.remove();
      boxes.forEach((box, i) => void fill(items[i] as HTMLElement, `${prefix}${i}`, shown, box));
      const active = boxes.indexOf(shown.selected);
      if (active >= 0) element.setAttribute('aria-activedescendant', `${prefix}${active}`);
      else element.removeAttribute('aria-activedescendant');
    },
  };
}

/** A tree must have items, so an empty graph isn't one. */
function name(element: HTMLElement, boxes: number): void {
  element.setAttribute('role', boxes > 0 ? 'tree' : 'group');
  element.setAttribute('aria-label', boxes > 0 ? 'Graph' : 'Graph without nodes');
}

function mirrored({ scene, window, selected }: Shown): readonly number[] {
  const { boxes } = scene.picture;
  const seen: number[] = [];
  scene.boxes.query(grown(window, 0), (box) => void seen.push(box));
  if (selected >= 0 && !seen.includes(selected)) seen.push(selected);
  if (seen.length === 0 && boxes.count > 0) seen.push(0);
  if (seen.length <= MOST_ITEMS) return seen.sort((a, b) => a - b);
  const middle = selected >= 0 ? selected : -1;
  const x = middle >= 0 ? (boxes.x[middle] as number) : window.x + window.width / 2;
  const y = middle >= 0 ? (boxes.y[middle] as number) : window.y + window.height / 2;
  const distance = (box: number) => Math.hypot((boxes.x[box] as number) - x, (boxes.y[box] as number) - y);
  return seen
    .map((box) => ({ box, far: distance(box) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST_ITEMS)
    .map(({ box }) => box)
    .sort((a, b) => a - b);
}

function fill(item: HTMLElement, id: string, { scene, dress, selected, place }: Shown, box: number): void {
  const kind = scene.picture.boxes.kind[box] as number;
  const words = description(scene, dress, box);
  item.id = id;
  item.setAttribute('role', 'treeitem');
  item.setAttribute('aria-level', `${(scene.depth[box] as number) + 1}`);
  item.setAttribute('aria-selected', `${box === selected}`);
  const expanded = kind === BoxKind.module ? 'false' : kind === BoxKind.openModule ? 'true' : undefined;
  if (expanded) item.setAttribute('aria-expanded', expanded);
  else item.removeAttribute('aria-expanded');
  if (item.textContent !== words) item.textContent = words;
  const { x, y, width, height } = place(box);
  item.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  item.style.width = `${width.toFixed(1)}px`;
  item.style.height = `${height.toFixed(1)}px`;
}
