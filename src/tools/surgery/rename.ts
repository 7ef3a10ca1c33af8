import type {
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeDeviceConfigurationProto,
  NodeProto,
  SparseTensorProto,
  TrainingInfoProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { hasNamedBorders } from '../../graph/named-borders.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { type Body, definedIn, inputsOf, isGraph, outputsOf, withSubgraphs } from './bodies.js';

/** Returns the new name of a value, or the same name. */
export type Rename = (name: string) => string;

/** Returns how to rename values in a subgraph, given how they are renamed around it. */
export type Within = (graph: GraphProto, around: Rename) => Rename;

/** Keeps the names that a subgraph defines, even if an outer graph has values with the same names. */
export const keepingOwn: Within = (graph, around) => {
  const own = definedIn(graph);
  return (name) => (own.has(name) ? name : around(name));
};

/** Keeps the names of inputs and outputs, which some operators read. */
const keepingBorders =
  (within: Within): Within =>
  (graph, around) => {
    const borders = new Set([...inputsOf(graph), ...outputsOf(graph)]);
    const rename = within(graph, around);
    return (name) => (borders.has(name) ? name : rename(name));
  };

/** Renames values in subgraphs as around them. The names must be unique in the model or unused. */
export const renamingAll: Within = (_, around) => around;

export const byTable =
  (table: ReadonlyMap<string, string>): Rename =>
  (name) =>
    table.get(name) ?? name;

const named = <T extends { name: string }>(entry: T, rename: Rename): T =>
  withChanges<{ name: string }>(entry, { name: rename(entry.name) }) as T;

/** Renames the values of a body wherever they are mentioned. */
export function renamed<B extends Body>(body: B, rename: Rename, within?: Within): B;
export function renamed(body: Body, rename: Rename, within: Within = keepingOwn): Body {
  const node = changedList(body.node, (entry) => renamedNode(entry, rename, within));
  const valueInfo = changedList(body.valueInfo, (info) => named(info, rename));
  if (!isGraph(body)) {
    const [input, output] = [changedList(body.input, rename), changedList(body.output, rename)];
    return withChanges<FunctionProto>(body, { node, valueInfo, input, output });
  }
  const border = (info: ValueInfoProto) => named(info, rename);
  return withChanges<GraphProto>(body, {
    node,
    valueInfo,
    input: changedList(body.input, border),
    output: changedList(body.output, border),
    initializer: changedList(body.initializer, (tensor) => named(tensor, rename)),
    sparseInitializer: changedList(body.sparseInitializer, (sparse) => renamedSparse(sparse, rename)),
    quantizationAnnotation: changedList(body.quantizationAnnotation, (annotation) =>
      withChanges(annotation, {
        tensorName: rename(annotation.tensorName),
        quantParameterTensorNames: changedList(annotation.quantParameterTensorNames, (entry) =>
          withChanges(entry, { value: rename(entry.value) }),
        ),
      }),
    ),
  });
}

/** Renames a sparse constant, whose name is that of its values. */
const renamedSparse = (sparse: SparseTensorProto, rename: Rename): SparseTensorProto =>
  sparse.values ? withChanges(sparse, { values: named(sparse.values, rename) }) : sparse;

export function renamedNode(node: NodeProto, rename: Rename, within: Within = keepingOwn): NodeProto {
  const apply = (name: string) => name && rename(name);
  const first = hasNamedBorders(node.domain, node.opType) ? keepingBorders(within) : within;
  const inside = withSubgraphs(node, (graph) => renamed(graph, first(graph, rename), within));
  return withChanges(inside, {
    input: changedList(node.input, apply),
    output: changedList(node.output, apply),
    deviceConfigurations: changedList(node.deviceConfigurations, (entry) => renamedDevices(entry, rename)),
  });
}

const renamedDevices = (entry: NodeDeviceConfigurationProto, rename: Rename): NodeDeviceConfigurationProto =>
  withChanges(entry, {
    shardingSpec: changedList(entry.shardingSpec, (spec) => withChanges(spec, { tensorName: rename(spec.tensorName) })),
  });

/** Renames values in the graph and the training information of a model. */
export const renamedModel = (model: ModelProto, rename: Rename, within: Within = keepingOwn): ModelProto =>
  withChanges(model, {
    ...(model.graph && { graph: renamed(model.graph, rename, within) }),
    trainingInfo: changedList(model.trainingInfo, (info) => renamedTraining(info, rename, within)),
  });

/**
 * Renames values in training information. The algorithm can read the model's graph, and binding keys are constants of
 * either.
 */
function renamedTraining(info: TrainingInfoProto, rename: Rename, within: Within): TrainingInfoProto {
  const { algorithm } = info;
  const inside = algorithm ? within(algorithm, rename) : rename;
  const bound = (field: 'initializationBinding' | 'updateBinding') =>
    changedList(info[field], (entry) =>
      withChanges(entry, { key: inside(entry.key), ...(field === 'updateBinding' && { value: inside(entry.value) }) }),
    );
  return withChanges(info, {
    ...(algorithm && { algorithm: renamed(algorithm, inside, within) }),
    initializationBinding: bound('initializationBinding'),
    updateBinding: bound('updateBinding'),
  });
}
