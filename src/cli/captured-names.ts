import type { Graph } from '../graph/graph.js';
import { addOutputs, innerValues } from '../optimize/extra-outputs.js';
import { openModel } from '../session/open-model.js';

/** The values that `--capture` means: `all` stands for what the nodes compute and the model does not give out. */
export async function capturedNames(source: string | Uint8Array, given: readonly string[]): Promise<string[]> {
  const { graph } = await openModel(source, {});
  const names = [...new Set(given.flatMap((text) => namesIn(graph, text)))];
  addOutputs(graph, names);
  return names;
}

/** Names with commas in them are names first. */
function namesIn(graph: Graph, text: string): string[] {
  if (text === 'all') return innerValues(graph).map(({ name }) => name);
  const isName = graph.nodes.some((node) => node.outputs.some((value) => value?.name === text));
  return isName ? [text] : text.split(',').map((name) => name.trim());
}
