import type {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { elementTypeOf } from '../../tensor/element-types.js';
import { applyRules, at, type Context, entriesOf, error } from './context.js';
import { ATTRIBUTE_RULES } from './rules/attribute.js';
import { checkElementTypes } from './rules/element-types.js';
import { checkCall, compatibleOpset, FUNCTION_RULES, noRecursion, uniqueFunctions } from './rules/function.js';
import {
  checkInputs,
  checkMentions,
  checkOutputs,
  checkShadowing,
  declareOutputs,
  GRAPH_RULES,
  initializers,
} from './rules/graph.js';
import { MODEL_RULES, opsetsOf } from './rules/model.js';
import { calleeOf, declarationOf, NODE_RULES } from './rules/node.js';
import { checkSignature } from './rules/signature.js';
import { SPARSE_TENSOR_RULES } from './rules/sparse-tensor.js';
import { TENSOR_RULES } from './rules/tensor.js';
import { checkType, valueInfoRules } from './rules/type.js';
import { newScope } from './scope.js';
import { MAX_NESTING, typeText } from './type-text.js';

const INNER_INFO = valueInfoRules(false);
const BORDER_INFO = valueInfoRules(true);

export function walkModel(model: ModelProto, c: Context): void {
  applyRules(MODEL_RULES, model, c);
  const scope = newScope();
  if (model.graph) walkGraph(model.graph, { ...at(c, 'graph'), scope, within: 'main' });
  for (const [{ initialization, algorithm }, place] of entriesOf(model.trainingInfo, 'training_info', c)) {
    if (initialization)
      walkGraph(initialization, { ...at(place, 'initialization'), scope: newScope(), within: 'subgraph' });
    // The algorithm can read all values of the inference graph.
    if (algorithm) walkGraph(algorithm, { ...at(place, 'algorithm'), scope: newScope(scope), within: 'subgraph' });
  }
  uniqueFunctions(model, c);
  noRecursion(model, c);
  for (const [definition, place] of entriesOf(model.functions, 'functions', c))
    walkFunction(definition, place, c.opsets);
}

/** Checks a graph and adds its names to the scope of the context. */
export function walkGraph(graph: GraphProto, around: Context): void {
  const c = inProducers(graph, around);
  applyRules(GRAPH_RULES, graph, c);
  const border = c.within === 'main' ? BORDER_INFO : INNER_INFO;
  for (const field of ['input', 'output'] as const)
    for (const [info, place] of entriesOf(graph[field], field, c)) applyRules(border, info, place);
  for (const [info, place] of entriesOf(graph.valueInfo, 'value_info', c)) applyRules(INNER_INFO, info, place);
  for (const [info, place] of entriesOf(graph.input, 'input', c)) declareInput(info, place);
  walkInitializers(graph, c);
  const declared = declaredTypes([...graph.output, ...graph.valueInfo]);
  for (const [i, node] of graph.node.entries()) walkNode(node, i, declared, at(c, 'node', i));
  checkOutputs(graph, c);
  checkMentions(graph, c);
}

/** Adds the producers of all values of the graph to the scope. */
function inProducers({ node }: Pick<GraphProto, 'node'>, c: Context): Context {
  const producers = new Map<string, number>();
  for (const [i, { output }] of node.entries()) for (const name of output) if (name) producers.set(name, i);
  return { ...c, node: undefined, scope: { ...c.scope, producers } };
}

function declaredTypes(infos: readonly ValueInfoProto[]): Map<string, string> {
  return new Map(
    infos.flatMap(({ name, type }): [string, string][] => {
      const text = typeText(type);
      return text ? [[name, text]] : [];
    }),
  );
}

function declareInput({ name, type }: ValueInfoProto, c: Context): void {
  checkShadowing(name, c);
  if (name !== '') c.scope.values.set(name, typeText(type));
}

function walkInitializers(graph: GraphProto, c: Context): void {
  const inputs = new Map(graph.input.map((info) => [info.name, typeText(info.type)]));
  for (const [tensor, place] of entriesOf(graph.initializer, 'initializer', c)) {
    walkTensor(tensor, place);
    const type = elementTypeOf(tensor.dataType);
    const says = inputs.get(tensor.name);
    if (c.types && type && says && says !== type)
      error(
        at(place, 'data_type'),
        'TYPE_MISMATCH',
        `the initializer is ${type}, but the input "${tensor.name}" is ${says}`,
        {
          value: tensor.name,
        },
      );
    if (tensor.name !== '') c.scope.values.set(tensor.name, type);
  }
  for (const [sparse, place] of entriesOf(graph.sparseInitializer, 'sparse_initializer', c)) {
    walkSparseTensor(sparse, place);
    if (sparse.values?.name) c.scope.values.set(sparse.values.name, undefined);
  }
  for (const [name, place] of initializers(graph, c)) if (!inputs.has(name)) checkShadowing(name, place);
}

/** Checks a node of a graph or function, and adds its outputs to the scope. */
function walkNode(node: NodeProto, i: number, declared: ReadonlyMap<string, string>, around: Context): void {
  const c = { ...around, node };
  checkInputs(node.input, i, c);
  checkNode(node, c);
  const schema = c.types && c.within !== 'function' ? declarationOf(node, c) : undefined;
  const types = schema ? checkElementTypes(node, schema, declared, c) : node.output.map((name) => declared.get(name));
  declareOutputs(node.output, types, c);
}

/** Checks a node, except that its inputs exist. */
export function checkNode(node: NodeProto, around: Context): void {
  const c = { ...around, node };
  applyRules(NODE_RULES, node, c);
  const callee = calleeOf(node, c);
  const schema = declarationOf(node, c);
  if (callee) checkCall(node, callee, c);
  if (schema) checkSignature(node, schema, c);
  for (const [i, attribute] of node.attribute.entries())
    walkAttribute(attribute, at(c, 'attribute', attribute.name || i));
}

export function walkAttribute(attribute: AttributeProto, c: Context): void {
  applyRules(ATTRIBUTE_RULES, attribute, c);
  const { t, g, tp, sparseTensor, tensors, graphs, sparseTensors, typeProtos, name } = attribute;
  if (t) walkTensor(t, at(c, 't'));
  if (sparseTensor) walkSparseTensor(sparseTensor, at(c, 'sparse_tensor'));
  if (g) walkSubgraph(g, at(c, 'g'));
  if (tp) checkType(tp, at(c, 'tp'), { value: name, isBorder: false, depth: 0 });
  for (const [tensor, place] of entriesOf(tensors, 'tensors', c)) walkTensor(tensor, place);
  for (const [sparse, place] of entriesOf(sparseTensors, 'sparse_tensors', c)) walkSparseTensor(sparse, place);
  for (const [graph, place] of entriesOf(graphs, 'graphs', c)) walkSubgraph(graph, place);
  for (const [type, place] of entriesOf(typeProtos, 'type_protos', c))
    checkType(type, place, { value: name, isBorder: false, depth: 0 });
}

function walkSubgraph(graph: GraphProto, c: Context): void {
  const depth = c.depth + 1;
  if (depth > MAX_NESTING)
    error(c, 'NESTING', `subgraphs are nested more than ${MAX_NESTING} deep; inner graphs are not checked`);
  else walkGraph(graph, { ...c, depth, scope: newScope(c.scope), within: 'subgraph' });
}

export const walkTensor = (tensor: TensorProto, c: Context): void => applyRules(TENSOR_RULES, tensor, c);

export function walkSparseTensor(sparse: SparseTensorProto, c: Context): void {
  applyRules(SPARSE_TENSOR_RULES, sparse, c);
  if (sparse.values) walkTensor(sparse.values, at(c, 'values'));
  if (sparse.indices) walkTensor(sparse.indices, at(c, 'indices'));
}

export const walkValueInfo = (info: ValueInfoProto, c: Context): void => applyRules(BORDER_INFO, info, c);

/** Checks a function. `model`: the opsets that the model imports. */
export function walkFunction(definition: FunctionProto, around: Context, model: ReadonlyMap<string, number>): void {
  const declared = new Set([...definition.attribute, ...definition.attributeProto.map(({ name }) => name)]);
  const scope = newScope();
  const c: Context = inProducers(definition, {
    ...around,
    scope,
    declared,
    opsets: opsetsOf(definition.opsetImport),
    within: 'function',
  });
  applyRules(FUNCTION_RULES, definition, c);
  for (const name of definition.input) scope.values.set(name, undefined);
  for (const [attribute, place] of entriesOf(definition.attributeProto, 'attribute_proto', c))
    walkAttribute(attribute, place);
  for (const [info, place] of entriesOf(definition.valueInfo, 'value_info', c)) applyRules(INNER_INFO, info, place);
  const nothing = new Map<string, string>();
  for (const [i, node] of definition.node.entries()) {
    const place = { ...at(c, 'node', i), node };
    compatibleOpset(node, model, place);
    walkNode(node, i, nothing, place);
  }
  for (const [i, name] of definition.output.entries())
    if (!scope.values.has(name))
      error(at(c, 'output', i), 'UNDEFINED', `no node produces the output "${name}" of function ${definition.name}`, {
        value: name,
      });
}
