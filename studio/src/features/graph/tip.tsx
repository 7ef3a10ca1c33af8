import { signal } from '@preact/signals';
import type { Target } from '../../canvas/scene/target.js';
import { heat, modules, outline, text } from '../../store/workspace.js';
import { inOrder } from '../../ui/in-order.js';
import { counted } from '../../ui/quantities.js';
import { heatOf } from './heat-of.js';

/** The target under the pointer, and its position in the pane. */
export const pointed = signal<{ readonly target: Target; readonly x: number; readonly y: number } | null>(null);

/** A tooltip with names and types beside the pointer; screen readers get them from the tree. */
export function Tip() {
  const now = pointed.value;
  if (!now) return null;
  const [title, ...lines] = LINES[now.target.kind](now.target.index).filter(Boolean);
  if (!title) return null;
  return (
    <div class="tip" aria-hidden="true" ref={(element) => place(element, now.x, now.y)}>
      <strong>{title}</strong>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

const MOST_OUTPUTS = 3;

const LINES: Readonly<Record<Target['kind'], (index: number) => readonly string[]>> = {
  node(index) {
    const nodes = outline.value?.nodes;
    if (!nodes) return [];
    const { start, values } = nodes.outputs;
    const outputs = values.subarray(start[index], Math.min(start[index + 1] ?? 0, (start[index] ?? 0) + MOST_OUTPUTS));
    const figure = heat.value?.byNode[index] ?? Number.NaN;
    return [
      text(nodes.name[index]) || text(nodes.operator[index]),
      ...Array.from(outputs, typeOf),
      heat.value && !Number.isNaN(figure) ? heatOf(heat.value).words(figure) : '',
    ];
  },
  module: (index) => [modules.value?.path[index] ?? '', counted(modules.value?.size[index] ?? 0, 'node')],
  value: (index) => [text(outline.value?.values.name[index]), typeOf(index)],
};

const typeOf = (value: number): string => inOrder(text(outline.value?.values.type[value]));

/** Distance from the pointer in pixels. */
const AWAY = 14;

/** Below and right of the pointer, or on the other side if there is no room. */
function place(element: HTMLElement | null, x: number, y: number): void {
  if (!element) return;
  const { clientWidth, clientHeight } = element.parentElement ?? document.body;
  const { offsetWidth, offsetHeight, style } = element;
  style.left = `${x + AWAY + offsetWidth > clientWidth ? Math.max(0, x - AWAY - offsetWidth) : x + AWAY}px`;
  style.top = `${y + AWAY + offsetHeight > clientHeight ? Math.max(0, y - AWAY - offsetHeight) : y + AWAY}px`;
}
