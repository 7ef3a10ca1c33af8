import type { FunctionProto, NodeProto, ValueInfoProto } from '../../../../build/onnx.js';
import { withChanges } from '../../../model/document/changed.js';
import { type Body, withSubgraphs } from '../bodies.js';
import { calledBy } from '../functions.js';
import { agree } from './agree.js';
import { bodyOfCall } from './body-of-call.js';
import type { Container } from './container.js';
import { opsetsOf } from './opsets.js';

type Functions = ReadonlyMap<string, FunctionProto>;

export function withCallsExpanded<B extends Body>(body: B, functions: Functions, container: Container): B;
export function withCallsExpanded(body: Body, functions: Functions, container: Container): Body {
  const valueInfo: ValueInfoProto[] = [];
  const expand = (node: NodeProto): NodeProto[] => {
    const inside = withSubgraphs(node, (graph) => withCallsExpanded(graph, functions, container));
    const definition = functions.get(calledBy(node));
    if (!definition || !isAgreed(definition, functions, container)) return [inside];
    const called = bodyOfCall(inside, definition, container);
    valueInfo.push(...called.valueInfo);
    for (const [domain, version] of opsetsOf(definition.opsetImport))
      if (!container.opsets.has(domain)) container.opsets.set(domain, version);
    return called.nodes.flatMap(expand);
  };
  const expanded = body.node.flatMap(expand);
  const isSame = expanded.length === body.node.length && expanded.every((node, i) => node === body.node[i]);
  if (isSame) return body;
  return withChanges(body, { node: expanded, valueInfo: [...body.valueInfo, ...valueInfo] });
}

function isAgreed(definition: FunctionProto, functions: Functions, { opsets, agrees }: Container): boolean {
  const known = agrees.get(definition) ?? agree(definition, opsets, functions);
  agrees.set(definition, known);
  return known;
}
