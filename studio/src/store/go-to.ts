import { prefixesOf, sharesOf } from '../graph/origins.js';
import { enterGraph } from './open-model.js';
import * as workspace from './workspace.js';

/** Enters a graph and selects a part of it. */
export async function goTo(path: string, subject: workspace.Subject): Promise<void> {
  await enterGraph(path);
  if (workspace.outline.value?.path === path) workspace.select(subject);
}

/** Selects the value with a name in the graph at a path, or in the innermost enclosing graph that has it. */
export async function goToValue(path: string, name: string): Promise<void> {
  await enterGraph(path);
  const { outline } = workspace;
  const index = outline.value?.values.name.findIndex((each) => workspace.text(each) === name) ?? -1;
  if (index >= 0) workspace.selectValue(index);
}

/** The path of the enclosing graph: `12/body` for `12/body/3/then_branch`; undefined if there is none. */
export function pathAround(path: string): string | undefined {
  const steps = path.split('/');
  if (path === '' || (steps[0] === 'function' && steps.length === 2)) return undefined;
  return steps.slice(0, -2).join('/');
}

/** Selects the first node of the graph in view that matches these ids. */
export function selectOrigins(origins: readonly string[]): void {
  const [graph, document] = [workspace.outline.value, workspace.model.value];
  if (!graph || !document) return;
  const [node] = sharesOf(origins, prefixesOf(graph.path, document.outline)).keys();
  if (node !== undefined) workspace.selectNode(node);
}
