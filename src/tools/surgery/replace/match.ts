import type { FunctionProto, NodeProto } from '../../../../build/onnx.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { domainOf } from '../../schemas/domains.js';
import type { EditedNode, EditedValue } from '../edit/graph.js';
import { producersIn } from '../needed.js';
import { type Bindings, bindNode, bindValue, NOTHING } from './bindings.js';
import { constantOf, isEqual } from './constants.js';
import { matchAttributes } from './match-attributes.js';

/** A prepared pattern. */
export interface Pattern {
  readonly definition: FunctionProto;
  readonly producers: ReadonlyMap<string, NodeProto>;
  /** The constants of the pattern. */
  readonly constants: ReadonlyMap<string, TensorValue>;
  /** The nodes that are not constants. */
  readonly nodes: readonly NodeProto[];
}

export function patternOf(definition: FunctionProto): Pattern {
  const constants = new Map<string, TensorValue>();
  for (const node of definition.node) {
    const tensor = constantOf(node);
    if (tensor && node.output[0]) constants.set(node.output[0], tensor);
  }
  const nodes = definition.node.filter(({ output }) => !constants.has(output[0] ?? ''));
  return { definition, producers: producersIn(definition), constants, nodes };
}

/** Known contents of the model's values. */
export type Contents = ReadonlyMap<EditedValue, TensorValue>;

/** Matches a pattern whose first output is produced by a node; undefined without a match. */
export function matchAt(node: EditedNode, pattern: Pattern, contents: Contents): Bindings | undefined {
  const [first = ''] = pattern.definition.output;
  const root = pattern.producers.get(first);
  if (!root) return undefined;
  return firstOf(matchNode(root, node, NOTHING, pattern, contents), (bindings) =>
    completed(bindings, pattern, contents),
  );
}

function firstOf<T, R>(list: Iterable<T>, find: (entry: T) => R | undefined): R | undefined {
  for (const entry of list) {
    const found = find(entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Searches the remaining nodes of the pattern next to those that are matched. */
function completed(bindings: Bindings, pattern: Pattern, contents: Contents): Bindings | undefined {
  const missing = pattern.nodes.filter((node) => !bindings.nodes.has(node));
  const next = missing.find((node) => candidatesFor(node, bindings).length > 0);
  if (!next) return missing.length === 0 && isClosed(bindings, pattern) ? bindings : undefined;
  return firstOf(candidatesFor(next, bindings), (candidate) =>
    firstOf(matchNode(next, candidate, bindings, pattern, contents), (more) => completed(more, pattern, contents)),
  );
}

/** Nodes that read a value which a node of the pattern reads. */
function candidatesFor({ input }: NodeProto, { values, nodes }: Bindings): EditedNode[] {
  const known = input.map((name) => values.get(name)).find((value) => value !== undefined && value !== null);
  const taken = new Set(nodes.values());
  return known ? known.readers.filter((node) => !taken.has(node)) : [];
}

/** Operators whose two inputs can be swapped: https://onnx.ai/onnx/operators */
const COMMUTATIVE = new Set('Add Mul And Or Xor Equal Max Min Sum Mean BitwiseAnd BitwiseOr BitwiseXor'.split(' '));

/** Yields all ways to match a node and its producers with the pattern. */
function* matchNode(
  pattern: NodeProto,
  node: EditedNode,
  bindings: Bindings,
  whole: Pattern,
  contents: Contents,
): Generator<Bindings> {
  const isSame =
    pattern.opType === node.op &&
    domainOf(pattern.domain) === domainOf(node.domain) &&
    pattern.overload === node.source.overload &&
    node.subgraphs.size === 0;
  const attributes = isSame ? matchAttributes(pattern, node, bindings) : undefined;
  let bound = attributes && bindNode(attributes, pattern, node);
  for (const [i, name] of pattern.output.entries())
    if (name && bound) bound = node.outputs[i] ? bindValue(bound, name, node.outputs[i]) : undefined;
  const extra = node.outputs.slice(pattern.output.length).some((value) => value?.readers.length || value?.isOutput);
  if (!bound || extra) return;
  for (const inputs of ordersOf(node))
    if (countOf(inputs) <= pattern.input.length) yield* matchInputs(pattern.input, inputs, 0, bound, whole, contents);
}

type Operands = EditedNode['inputs'];

const countOf = (inputs: Operands): number => inputs.findLastIndex((value) => value !== null) + 1;

function ordersOf({ op, domain, inputs }: EditedNode): Operands[] {
  const [a, b] = inputs;
  const isCommutative = domainOf(domain) === '' && COMMUTATIVE.has(op) && inputs.length === 2 && a !== b;
  return isCommutative ? [inputs, [b ?? null, a ?? null]] : [inputs];
}

/** Yields the ways to match the inputs from the i-th on. */
function* matchInputs(
  names: readonly string[],
  inputs: Operands,
  i: number,
  bindings: Bindings,
  whole: Pattern,
  contents: Contents,
): Generator<Bindings> {
  const name = names[i];
  if (name === undefined) return yield bindings;
  const value = inputs[i] ?? null;
  for (const bound of matchValue(name, value, bindings, whole, contents))
    yield* matchInputs(names, inputs, i + 1, bound, whole, contents);
}

function* matchValue(
  name: string,
  value: EditedValue | null,
  bindings: Bindings,
  whole: Pattern,
  contents: Contents,
): Generator<Bindings> {
  if (!name) return value ? undefined : yield bindings;
  const isKnown = bindings.values.has(name);
  const bound = bindValue(bindings, name, value);
  if (!bound) return;
  const constant = whole.constants.get(name);
  const producer = whole.producers.get(name);
  if (constant) {
    const found = value && contents.get(value);
    if (found && isEqual(constant, found)) yield bound;
  } else if (producer && !isKnown) {
    const made = value?.producer;
    if (made && made.outputs[producer.output.indexOf(name)] === value)
      yield* matchNode(producer, made, bound, whole, contents);
  } else if (producer || value || isOptional(name, whole)) yield bound;
}

/** Whether an operand may be omitted, as it is an input of the pattern. */
const isOptional = (name: string, { definition }: Pattern): boolean => definition.input.includes(name);

/** Whether other nodes read no inner values, and no input depends on the matched nodes. */
function isClosed({ values, nodes }: Bindings, { definition, constants }: Pattern): boolean {
  const found = new Set(nodes.values());
  const outputs = new Set(definition.output.map((name) => values.get(name)));
  for (const node of found)
    for (const value of node.outputs) {
      if (!value || outputs.has(value)) continue;
      if (value.isOutput || value.readers.some((reader) => !found.has(reader))) return false;
    }
  const inputs = definition.input.filter((name) => !constants.has(name)).map((name) => values.get(name));
  return definition.output.length === 1 || !inputs.some((value) => value && followsFrom(value, found, new Set()));
}

function followsFrom(value: EditedValue, nodes: ReadonlySet<EditedNode>, seen: Set<EditedNode>): boolean {
  const { producer } = value;
  if (!producer || seen.has(producer)) return false;
  seen.add(producer);
  return nodes.has(producer) || producer.operands.some((operand) => operand && followsFrom(operand, nodes, seen));
}
