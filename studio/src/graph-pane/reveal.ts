import type { GraphView } from '../canvas/view/view.js';
import { redraw } from '../workspace/open-model.js';
import { modules, opened, outline, revealed, type Subject } from '../workspace/workspace.js';
import { drawn } from './drawn.js';

/** Brings a node, value or module into view, by opening the modules around it where they are closed. */
export async function reveal(view: GraphView, subject: Subject): Promise<void> {
  revealed.value = null;
  const around = modulesAround(subject);
  if (around.some((module) => !opened.peek().has(module))) {
    await redraw({ opened: new Set([...opened.peek(), ...around]) });
    const now = drawn.peek();
    if (now) view.show(now);
  }
  view.reveal(subject);
}

/** Values lie where the nodes lie that make them. */
function modulesAround({ kind, index }: Subject): number[] {
  const [graph, tree] = [outline.peek(), modules.peek()];
  if (!graph || !tree) return [];
  const node = kind === 'value' ? (graph.values.producer[index] ?? -1) : index;
  const found: number[] = [];
  let module = kind === 'module' ? (tree.parent[index] ?? -1) : (tree.ofNode[node] ?? -1);
  for (; module >= 0; module = tree.parent[module] ?? -1) found.push(module);
  return found;
}
