import type { Graph } from '../graph/graph.js';
import { addOutputs, innerValues } from '../optimize/extra-outputs.js';
import { openModel } from '../session/open-model.js';

/** The values that `--capture` names; `all` means every intermediate value of the graph. */
export async function capturedNames(source: string | Uint8Array, given: readonly string[]): Promise<string[]> {
  const { graph } = await openModel(source, {});
  const names = [...new Set(given.flatMap((text) => namesIn(graph, text)))];
  addOutputs(graph, names);
  return names;
}

/** A text that is the name of a value is not split at its commas. */
function namesIn(graph: Graph, text: string): string[] {
  if (text === 'all') return innerValues(graph).map(({ name }) => name);
  const isName = graph.nodes.some((node) => node.outputs.some((value) => value?.name === text));
  return isName ? [text] : text.split(',').map((name) => name.trim());
}
