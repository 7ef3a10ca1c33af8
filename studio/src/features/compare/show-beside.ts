import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Drawn } from '../../canvas/scene/scene.js';
import type { Target } from '../../canvas/scene/target.js';
import type { Camera } from '../../canvas/view/camera.js';
import { createGraphView } from '../../canvas/view/create-view.js';
import { goTo, pathAround } from '../../store/go-to.js';
import { report } from '../../store/notices.js';
import { enterGraph, toggleModule } from '../../store/open-model.js';
import * as workspace from '../../store/workspace.js';
import { badgesByNode } from '../graph/badges.js';
import { camera, view as first } from '../graph/view.js';
import type { Comparison } from './comparison.js';
import { counterpartOf, inverse, nameOf, type Side } from './counterpart-of.js';
import { showSide } from './in-view.js';
import { type OtherGraph, otherModel } from './other-graph.js';
import { alone } from './pair.js';

/** Draws the graph of a side beside the one in view, with the same selection and camera. */
export function showBeside(host: HTMLElement, comparison: Comparison, side: 0 | 1) {
  const model = otherModel(comparison, side);
  const titles = { own: comparison.titles[side], other: comparison.titles[side === 0 ? 1 : 0] };
  /** Undefined until loaded. */
  const graph = signal<OtherGraph | null | undefined>(undefined);
  const drawn = signal<Drawn | null>(null);
  /** Modules that are open only in this graph. */
  const opened = signal<ReadonlySet<string>>(new Set());

  const inView = computed<Side | null>(() => {
    const [outline, modules] = [workspace.outline.value, workspace.modules.value];
    return outline && modules ? { outline, modules } : null;
  });
  const path = computed(() => workspace.outline.value?.path);
  const there = (subject: workspace.Subject): workspace.Subject | null =>
    graph.value && inView.value ? counterpartOf(subject, inView.value, graph.value, graph.value.nodes) : null;
  const back = (subject: workspace.Subject): workspace.Subject | null => {
    const [from, to] = [graph.peek(), inView.peek()];
    return from && to ? counterpartOf(subject, from, to, inverse(from.nodes, from.outline.nodes.count)) : null;
  };
  const selected = computed(() => {
    if (workspace.selection.value) return there(workspace.selection.value);
    return alone.value && alone.value.path === graph.value?.outline.path ? alone.value.subject : null;
  });

  const open = async (target: Target) => {
    const { path = '' } = graph.peek()?.outline ?? {};
    await showSide(comparison, side);
    await goTo(path, target);
  };

  let isShown = false;
  let isShowing = false;
  const view = createGraphView(host, {
    select(target) {
      const found = target ? back(target) : null;
      const path = graph.peek()?.outline.path ?? '';
      const isDrawn = !found || first.peek()?.has(found);
      batch(() => {
        alone.value = target && !found ? { path, subject: target, isAway: false } : null;
        if (found && !isDrawn) workspace.select(found);
        else workspace.setSelection(found);
      });
      if (isDrawn) lead(view.camera());
    },
    details: open,
    enter: (target) => void open(target),
    toggle(module) {
      const name = graph.peek()?.modules.path[module] ?? '';
      const index = workspace.modules.peek()?.path.indexOf(name) ?? -1;
      const [isOpen, isOpenInView] = [opened.peek().has(name), workspace.opened.peek().has(index)];
      if (isOpenInView || (index >= 0 && !isOpen)) void toggleModule(index);
      if (isOpen) opened.value = new Set([...opened.peek()].filter((other) => other !== name));
      else if (index < 0) opened.value = new Set([...opened.peek(), name]);
    },
    leave() {
      const around = pathAround(workspace.outline.peek()?.path ?? '');
      if (around !== undefined) void enterGraph(around);
    },
    moved(now) {
      if (!isShowing) lead(now);
    },
  });

  /** The part kept at the same position in both graphs: the last selection, or else the first node that both have. */
  let anchor: workspace.Subject | undefined;
  const isPlaced = (subject: workspace.Subject) => {
    const counterpart = there(subject);
    return counterpart !== null && first.peek()?.has(subject) === true && view.has(counterpart);
  };
  const firstPlaced = (): workspace.Subject | undefined => {
    const index = graph.peek()?.nodes.findIndex((_, index) => isPlaced({ kind: 'node', index })) ?? -1;
    if (index >= 0) return { kind: 'node', index };
    const module = inView.peek()?.modules.path.findIndex((_, index) => isPlaced({ kind: 'module', index })) ?? -1;
    return module < 0 ? undefined : { kind: 'module', index: module };
  };
  /** The offset between the anchor's positions in the two pictures. */
  const apart = () => {
    const chosen = workspace.selection.peek();
    if (chosen && isPlaced(chosen)) anchor = chosen;
    if (!anchor || !isPlaced(anchor)) anchor = firstPlaced();
    const counterpart = anchor && there(anchor);
    const [one, other] = [anchor && first.peek()?.rectangle(anchor), counterpart && view.rectangle(counterpart)];
    if (!one || !other) return { x: 0, y: 0 };
    return { x: one.x + one.width / 2 - other.x - other.width / 2, y: one.y - other.y };
  };
  const lead = (now: Camera) => first.peek()?.look(shifted(now, apart(), -1));
  const follow = () => {
    const now = first.peek()?.camera();
    if (now) view.look(shifted(now, apart(), 1));
  };

  const ends = [
    effect(() => {
      const wanted = path.value;
      if (wanted === undefined) return;
      let isLeft = false;
      model.graph(wanted).then(
        (found) => {
          if (!isLeft) graph.value = found;
        },
        (error) => isLeft || report(`Cannot show ${titles.own}`, error),
      );
      return () => {
        isLeft = true;
        graph.value = undefined;
      };
    }),
    effect(() => {
      const [found, direction] = [graph.value, workspace.direction.value];
      const inBoth = [...workspace.opened.value].map((module) => workspace.modules.value?.path[module] ?? '');
      const ways = { direction, folds: workspace.folds.value, shown: workspace.shown.value };
      if (!found) return;
      let isLeft = false;
      void model.picture(found, { opened: new Set([...inBoth, ...opened.value]), ...ways }).then((made) => {
        if (!isLeft) drawn.value = { outline: found.outline, modules: found.modules, direction, ...made };
      });
      return () => {
        isLeft = true;
      };
    }),
    effect(() => {
      if (!drawn.value) return;
      // The first graph has become narrower.
      if (!isShown) soon(() => first.peek()?.fit());
      isShown = true;
      isShowing = true;
      view.show(drawn.value);
      isShowing = false;
      view.setBadges(badgesByNode(graph.peek()?.marks ?? new Map(), null, drawn.value.outline));
    }),
    effect(() => {
      const subject = selected.value;
      if (workspace.selection.value) alone.value = null;
      view.select(subject ?? undefined);
      void drawn.value;
      const closed = subject && graph.peek() ? closedAround(subject, graph.peek() as OtherGraph, view.has) : [];
      if (closed.some((module) => !opened.peek().has(module))) opened.value = new Set([...opened.peek(), ...closed]);
      else if (subject && alone.value?.isAway && view.has(subject)) {
        view.reveal(subject);
        alone.value = { ...alone.value, isAway: false };
      }
    }),
    effect(() => {
      void camera.value;
      follow();
    }),
    effect(() => {
      void [workspace.picture.value, workspace.selection.value, drawn.value];
      soon(follow);
    }),
  ];

  const says: ReadonlySignal<string> = computed(() => {
    if (graph.value === null) return `This graph has no counterpart in ${titles.own}.`;
    const [chosen, found] = [workspace.selection.value, selected.value];
    if (!graph.value || !inView.value || !(chosen ?? found)) return '';
    if (chosen && !found) return `${nameOf(chosen, inView.value)} has no counterpart in ${titles.own}.`;
    const name = found ? nameOf(found, graph.value) : '';
    return chosen ? `Selected: ${name}` : `${name} has no counterpart in ${titles.other}.`;
  });
  return {
    says,
    end() {
      for (const end of ends) end();
      alone.value = null;
      view.dispose();
      model.end();
    },
  };
}

/** Waits until the page has rendered the current signal values. */
const soon = (act: () => void) => requestAnimationFrame(() => requestAnimationFrame(act));

/** A camera that shows content offset by `apart` in the picture at the same position. */
const shifted = ({ scale, x, y }: Camera, apart: { x: number; y: number }, way: 1 | -1): Camera => ({
  scale,
  x: x + way * scale * apart.x,
  y: y + way * scale * apart.y,
});

/** Paths of the modules around a node or value that isn't drawn. */
function closedAround(
  { kind, index }: Target,
  { outline, modules }: OtherGraph,
  has: (target: Target) => boolean,
): string[] {
  if (has({ kind, index })) return [];
  const node = kind === 'value' ? (outline.values.producer[index] ?? -1) : index;
  const paths: string[] = [];
  let module = (kind === 'module' ? modules.parent[index] : modules.ofNode[node]) ?? -1;
  for (; module >= 0; module = modules.parent[module] ?? -1) paths.push(modules.path[module] as string);
  return paths;
}
