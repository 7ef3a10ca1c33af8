import { type ErrorPlace, SardonyxError } from '../base/errors.js';
import { dataLength } from '../tensor/element-types.js';
import { StoredTensor } from '../tensor/stored-tensor.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import type { Graph, Model, Node, Value } from './graph.js';
import { admits, formatType, tensorType } from './types.js';
import { operatorName, subgraphs } from './walk.js';

/** Throws INVALID_GRAPH if the graph violates the rules of the IR. */
export function verifyModel(model: Model): void {
  for (const definition of model.functions) verifyGraph(definition.graph);
  verifyGraph(model.graph);
}

/**
 * Every value has one producer and is used only after it and in its scope; outputs are defined; constants are complete
 * and of their declared type.
 */
export function verifyGraph(graph: Graph): void {
  verifyScope(graph, new Set(), new Set());
}

/** `visible` are the values that nodes may use here, `produced` those that any graph has made so far. */
function verifyScope(graph: Graph, visible: Set<Value>, produced: Set<Value>): void {
  const own: Value[] = [];
  const define = (value: Value, place: ErrorPlace) => {
    if (produced.has(value)) throw invalid('is made twice', { ...place, value: value.name });
    verifyConstant(value);
    produced.add(value);
    visible.add(value);
    own.push(value);
  };
  const use = (value: Value, place: ErrorPlace) => {
    if (visible.has(value)) return;
    const complaint = produced.has(value) ? 'is out of scope' : 'is used before it is defined';
    if (produced.has(value) || !value.constant) throw invalid(complaint, { ...place, value: value.name });
    verifyConstant(value);
  };

  for (const input of graph.inputs) define(input, {});
  for (const node of graph.nodes) {
    const place = placeOf(node);
    for (const input of node.inputs) if (input) use(input, place);
    for (const [, inner] of subgraphs(node)) verifyScope(inner, visible, produced);
    for (const output of node.outputs) if (output) define(output, place);
  }
  for (const output of graph.outputs) use(output, {});
  for (const value of own) visible.delete(value);
}

function verifyConstant({ name, type, constant }: Value): void {
  if (!constant) return;
  const place = { value: name };
  const length = dataLength(constant.type, elementCount(constant.dims));
  const isWhole = constant instanceof StoredTensor || constant.data.length === length;
  if (!isWhole)
    throw invalid(`${typeName(constant)} needs ${length} entries of data; there are ${constant.data.length}`, place);
  if (type && !admits(type, constant))
    throw invalid(`the constant is ${typeName(constant)}, its type ${formatType(type)}`, place);
}

const typeName = ({ type, dims }: TensorValue): string => formatType(tensorType(type, dims));

const placeOf = (node: Node): ErrorPlace => ({ node: node.name, operator: operatorName(node) });

const invalid = (message: string, place: ErrorPlace): SardonyxError =>
  new SardonyxError('INVALID_GRAPH', message, place);
