import { checkModel, type Issue, type Model, type ModelProto } from 'sardonyx/model';
import { nodeId } from '../../graph/outline.js';
import type { PlacedIssue } from '../contracts/changes.js';

/** Maximum number of issues listed. */
const LISTED = 500;

/** The checker's issues, including those of types. */
export async function issuesOf(model: Model): Promise<PlacedIssue[]> {
  const issues = await checkModel(model, { full: true });
  return issues.slice(0, LISTED).map((issue) => placed(issue, model.proto));
}

function placed({ severity, message, path, hint = '', value = '' }: Issue, proto: ModelProto): PlacedIssue {
  return { severity, message, path, hint, value, ...placeOf(path, proto) };
}

/** `graph.node[1].attribute.then_branch.g.node[0].input[0]` is node 0 of `1/then_branch`; `.graphs[2]` is in `1/then_branch[2]`. */
export function placeOf(path: string, proto: Pick<ModelProto, 'functions'>): { graph: string; node: number } {
  const [root = '', index] = /^(?:graph|functions\[(\d+)\])/.exec(path) ?? [];
  const called = index === undefined ? undefined : proto.functions[Number(index)];
  let graph = called ? `function/${called.domain}:${called.name}` : '';
  let rest = path.slice(root.length);
  for (;;) {
    const [whole = '', node] = /^\.node\[(\d+)\]/.exec(rest) ?? [];
    if (node === undefined) return { graph, node: -1 };
    rest = rest.slice(whole.length);
    const [inner = '', attribute, index = ''] = /^\.attribute\.(.+?)\.(?:g|graphs(\[\d+\]))(?=\.)/.exec(rest) ?? [];
    if (attribute === undefined) return { graph, node: Number(node) };
    graph = `${nodeId(graph, Number(node))}/${attribute}${index}`;
    rest = rest.slice(inner.length);
  }
}
