import type { FunctionProto, GraphProto, ModelProto, NodeProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { withProto } from '../model-of.js';
import { type Body, bodiesIn, constantsOf, inputsOf, isGraph, outputsOf, withGraphs, withSubgraphs } from './bodies.js';
import { calledBy, functionsByKey } from './functions.js';
import { valueNames } from './names.js';
import { graphOf, quoted, refused } from './refuse.js';
import { byTable, renamedModel, renamingAll } from './rename.js';

/** The names that `addPrefix` changes. Default: all. */
export interface PrefixOptions {
  /** Whether to rename nodes. */
  readonly renameNodes?: boolean;
  /** Whether to rename intermediate values, and all values of subgraphs. */
  readonly renameEdges?: boolean;
  /** Whether to rename inputs. */
  readonly renameInputs?: boolean;
  /** Whether to rename outputs. */
  readonly renameOutputs?: boolean;
  /** Whether to rename initializers. */
  readonly renameInitializers?: boolean;
  /** Whether to rename values listed in `value_info`. */
  readonly renameValueInfos?: boolean;
  /** Whether to rename functions. */
  readonly renameFunctions?: boolean;
}

/**
 * Adds a prefix to the names in a model.
 * @throws SardonyxError INVALID_ARGUMENT if a new name already exists
 */
export function addPrefix(model: Model, prefix: string, options: PrefixOptions = {}): Model {
  const graph = graphOf(model);
  const table = new Map(valuesToRename(graph, options).map((name) => [name, prefix + name]));
  refuseTaken(graph, table);
  const values = renamedModel(model.proto, byTable(table), renamingAll);
  const { renameNodes = true, renameFunctions = true } = options;
  const functions = renameFunctions ? withFunctionPrefix(values, prefix) : values;
  return withProto(model, renameNodes ? withNodePrefix(functions, prefix) : functions);
}

function valuesToRename(graph: GraphProto, options: PrefixOptions): string[] {
  const { renameEdges = true, renameInputs = true, renameOutputs = true } = options;
  const { renameInitializers = true, renameValueInfos = true } = options;
  const [inputs, outputs] = [inputsOf(graph), outputsOf(graph)];
  const inside = [...bodiesIn(graph)].filter((body) => body !== graph).filter(isGraph);
  const made = graph.node.flatMap(({ output }) => output).filter((name) => !outputs.includes(name));
  const edges = [...made, ...inside.flatMap((body) => [...inputsOf(body), ...body.node.flatMap((n) => n.output)])];
  const chosen: readonly (readonly [isChosen: boolean, names: readonly string[]])[] = [
    [renameEdges, edges],
    [renameInputs, inputs],
    [renameOutputs, outputs],
    [renameInitializers, [graph, ...inside].flatMap(constantsOf)],
    [renameValueInfos, graph.valueInfo.map(({ name }) => name)],
  ];
  return [...new Set(chosen.flatMap(([isChosen, names]) => (isChosen ? names : [])))].filter(Boolean);
}

/** Throws if a new name equals a value name that is not renamed. */
function refuseTaken(graph: GraphProto, table: ReadonlyMap<string, string>): void {
  const names = valueNames(bodiesIn(graph));
  const taken = [...table.values()].filter((name) => names.has(name) && !table.has(name));
  if (taken.length > 0) throw refused(`the prefix would rename values to ${quoted(taken)}, which already exist`);
}

function withFunctionPrefix(model: ModelProto, prefix: string): ModelProto {
  const known = functionsByKey(model);
  const call = (node: NodeProto) =>
    known.has(calledBy(node)) ? withChanges(node, { opType: prefix + node.opType }) : node;
  const inside = withNodes(model, call);
  return withChanges(inside, {
    functions: changedList(inside.functions, (definition) =>
      withChanges(definition, { name: prefix + definition.name }),
    ),
  });
}

/** Adds a prefix to node names in the graph. Nodes of functions keep theirs. */
function withNodePrefix(model: ModelProto, prefix: string): ModelProto {
  const { graph } = model;
  const named = (node: NodeProto) => (node.name ? withChanges(node, { name: prefix + node.name }) : node);
  return graph ? withChanges(model, { graph: inBody(graph, named) }) : model;
}

type Change = (node: NodeProto) => NodeProto;

const withNodes = (model: ModelProto, change: Change): ModelProto =>
  withChanges(model, {
    ...(model.graph && { graph: inBody(model.graph, change) }),
    functions: changedList(model.functions, (definition) =>
      withChanges<FunctionProto>(inBody(definition, change), {
        attributeProto: changedList(definition.attributeProto, (attribute) =>
          withGraphs(attribute, (graph) => inBody(graph, change)),
        ),
      }),
    ),
    trainingInfo: changedList(model.trainingInfo, (info) =>
      withChanges(info, {
        ...(info.initialization && { initialization: inBody(info.initialization, change) }),
        ...(info.algorithm && { algorithm: inBody(info.algorithm, change) }),
      }),
    ),
  });

/** Changes the nodes of a body and its subgraphs. */
function inBody<B extends Body>(body: B, change: Change): B {
  const inside = (node: NodeProto) => change(withSubgraphs(node, (graph) => inBody(graph, change)));
  return withChanges<Body>(body, { node: changedList(body.node, inside) }) as B;
}
