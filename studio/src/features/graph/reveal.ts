import type { GraphView } from '../../canvas/view/view.js';
import { readersOf } from '../../graph/neighbors.js';
import { ValueFlag } from '../../graph/outline.js';
import { redraw } from '../../store/open-model.js';
import { folds, modules, opened, outline, type Subject, setRevealed } from '../../store/workspace.js';
import { drawn } from './drawn.js';

/** Brings a node, value or module into view: opens the modules around it, and shows small nodes if it is one of them. */
export async function reveal(view: GraphView, wanted: Subject): Promise<void> {
  setRevealed();
  const subject = placeOf(wanted);
  const around = modulesAround(subject);
  if (around.some((module) => !opened.peek().has(module))) {
    await redrawn(view, { opened: new Set([...opened.peek(), ...around]) });
  }
  if (!view.has(subject) && folds.peek()) await redrawn(view, { folds: false });
  view.reveal(subject);
}

/** Shows the new picture at once; effects would show it only with the next frame. */
export async function redrawn(view: GraphView, change: Parameters<typeof redraw>[0]): Promise<void> {
  await redraw(change);
  const now = drawn.peek();
  if (now) view.show(now);
}

/** Folded weights aren't drawn: the first node that reads one stands for it. */
function placeOf(subject: Subject): Subject {
  const graph = outline.peek();
  if (!graph || subject.kind !== 'value') return subject;
  const isWeight = ((graph.values.flags[subject.index] ?? 0) & (ValueFlag.initializer | ValueFlag.constant)) !== 0;
  const [reader] = isWeight && folds.peek() ? readersOf(graph, subject.index) : [];
  return reader === undefined ? subject : { kind: 'node', index: reader };
}

/** A value lies in the modules of the node that produces it. */
function modulesAround({ kind, index }: Subject): number[] {
  const [graph, tree] = [outline.peek(), modules.peek()];
  if (!graph || !tree) return [];
  const node = kind === 'value' ? (graph.values.producer[index] ?? -1) : index;
  const found: number[] = [];
  let module = kind === 'module' ? (tree.parent[index] ?? -1) : (tree.ofNode[node] ?? -1);
  for (; module >= 0; module = tree.parent[module] ?? -1) found.push(module);
  return found;
}
