import type { FunctionProto, Model, ModelProto, NodeProto, TypeProto, ValueInfoProto } from 'sardonyx/model';
import { inferShapes } from 'sardonyx/model';
import { GraphProto, ValueInfoProto as Info, NodeProto as Node, TypeProto as Type } from '../../../../build/onnx.js';
import { withChanges } from '../../../../src/model/document/changed.js';
import { withProto } from '../../../../src/tools/model-of.js';
import { bodyOfCall } from '../../../../src/tools/surgery/inline/body-of-call.js';
import { nodeId } from '../../graph/outline.js';
import { type Body, graphAt } from './graph-at.js';

/** Maximum number of calls from which a function's types are inferred. */
const MOST_CALLS = 16;

/** Types of the values of a graph, with those of the graphs around it. */
export type Types = ReadonlyMap<string, TypeProto>;

/** A call of a function, and the path of the graph that contains it. */
interface Call {
  readonly path: string;
  readonly node: NodeProto;
}

/**
 * For each call of a function, a model with the function's body as its graph and all types inferred. Includes calls in the `inferred` model
 * and in other functions, which are instantiated for each of their own calls; `within` holds the functions already being instantiated.
 */
export async function instancesOf(
  inferred: Model,
  definition: FunctionProto,
  within: readonly FunctionProto[] = [],
): Promise<Model[]> {
  const callers = inferred.proto.functions.filter(
    (each) => each !== definition && !within.includes(each) && callsIn(each.node, definition).length > 0,
  );
  const hosts = [
    inferred,
    ...(await Promise.all(callers.map((each) => instancesOf(inferred, each, [...within, definition])))).flat(),
  ];
  const called = hosts.flatMap((host) =>
    callsIn(host.proto.graph?.node ?? [], definition).map(({ path, node }) =>
      withProto(inferred, asModel(host.proto, definition, node, typesAlong(host.proto, path))),
    ),
  );
  return Promise.all(called.slice(0, MOST_CALLS).map((model) => inferShapes(model)));
}

/** Calls among nodes and in their subgraphs. */
const callsIn = (nodes: readonly NodeProto[], definition: FunctionProto, around = ''): Call[] =>
  nodes.flatMap((node, i) => [
    ...(node.domain === definition.domain && node.opType === definition.name ? [{ path: around, node }] : []),
    ...node.attribute.flatMap(({ g, name }) => (g ? callsIn(g.node, definition, `${nodeId(around, i)}/${name}`) : [])),
  ]);

/** A model with a function's body as its graph: the types and attributes of a call, but the function's own names. */
function asModel(proto: ModelProto, definition: FunctionProto, call: NodeProto, types: Types): ModelProto {
  const given = definition.input.map((name, i) => (call.input[i] ? name : ''));
  const itself = new Node({ ...call, input: given, output: definition.output });
  const same = (name: string) => name;
  const { nodes, valueInfo } = bodyOfCall(itself, definition, { freshValue: same, freshNode: same } as never);
  const input = given.flatMap((name, i) => {
    const type = types.get(call.input[i] ?? '');
    return name ? [new Info({ name, ...(type && { type }) })] : [];
  });
  const output = definition.output.map((name) => new Info({ name }));
  const graph = new GraphProto({ name: definition.name, node: nodes, input, output, valueInfo });
  return withChanges(proto, { graph: graph as ModelProto['graph'], opsetImport: definition.opsetImport });
}

/** Types in the graph at a path and its enclosing graphs; the innermost take precedence. */
export function typesAlong(proto: ModelProto, path: string): Types {
  const steps = path.split('/').filter(Boolean);
  const types = new Map<string, TypeProto>();
  for (let i = 0; i <= steps.length; i += 2) addTypes(types, graphAt(proto, steps.slice(0, i).join('/')));
  return types;
}

function addTypes(types: Map<string, TypeProto>, { input, valueInfo, output, initializer }: Body): void {
  for (const { name, dataType: elemType, dims } of initializer)
    types.set(
      name,
      new Type({ tensorType: { elemType, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } }) as TypeProto,
    );
  for (const { name, type } of [...input, ...valueInfo, ...output] as ValueInfoProto[]) if (type) types.set(name, type);
}
