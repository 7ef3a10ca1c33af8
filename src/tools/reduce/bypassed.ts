import type { GraphProto, NodeProto } from '../../../build/onnx.js';
import { withChanges } from '../../model/document/changed.js';
import { renamed } from '../surgery/rename.js';
import { type Subject, typeKey } from './subject.js';

/** The input that can replace each node: the first with the type of its only output. */
export function detoursIn({ node }: GraphProto, infoOf: Subject['infoOf']): Map<NodeProto, string> {
  const found = new Map<NodeProto, string>();
  for (const entry of node) {
    const [made, ...others] = entry.output.filter(Boolean);
    const type = made && others.length === 0 ? typeKey(infoOf, made) : undefined;
    const input = entry.input.find((name) => name && type && typeKey(infoOf, name) === type);
    if (input) found.set(entry, input);
  }
  return found;
}

/** Removes nodes and lets their readers read the replacing inputs. */
export function bypassed(graph: GraphProto, detours: ReadonlyMap<NodeProto, string>): GraphProto {
  const table = new Map([...detours].map(([node, input]) => [node.output.find(Boolean) as string, input]));
  const end = (name: string): string => {
    let now = name;
    for (let next = table.get(now); next !== undefined; next = table.get(now)) now = next;
    return now;
  };
  const node = graph.node.filter((entry) => !detours.has(entry));
  const { output } = graph;
  return withChanges(renamed(withChanges(graph, { node, output: [], valueInfo: [] }), end), { output });
}
