import type { GraphProto, NodeProto, TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { annotate } from './annotations.js';
import { parseNode } from './parse-nodes.js';
import { parseTensor } from './parse-tensors.js';
import { isTypeNext, parseType } from './parse-types.js';
import type { Scanner } from './scanner.js';

type Graph = GraphProto.$Properties;
type Tensor = TensorProto.$Properties;
type ValueInfo = ValueInfoProto.$Properties;

/** The contents of a value list: types and constants. */
interface Declared {
  readonly values: ValueInfo[];
  readonly constants: Tensor[];
}

/** `name (inputs) => (outputs) <types and constants> { nodes }` */
export function parseGraph(scanner: Scanner): Graph {
  const name = scanner.name('the name of a graph');
  const inputs: Declared = { values: [], constants: [] };
  const others: Declared = { values: [], constants: inputs.constants };
  if (scanner.takes('(')) each(scanner, ')', () => input(scanner, inputs));
  scanner.expect('=>', 'after the inputs of a graph');
  scanner.expect('(', 'before the outputs of a graph');
  const output = each(scanner, ')', () => annotate(scanner, valueInfo(scanner)));
  if (scanner.takes('<')) each(scanner, '>', () => valueOrConstant(scanner, others));
  const graph: Graph = { name, input: inputs.values, output, valueInfo: others.values };
  return nodesInto(scanner, { ...graph, initializer: inputs.constants });
}

/** Parses `{ nodes }`; annotations after the opening brace belong to the owner. */
export function nodesInto<T extends { node?: NodeProto.$Properties[] | null }>(scanner: Scanner, owner: T): T {
  scanner.expect('{', 'before the nodes');
  annotate(scanner, owner);
  const node: NodeProto.$Properties[] = [];
  while (!scanner.takes('}')) {
    if (scanner.isAtEnd) throw scanner.refusal('"}" after the nodes');
    node.push(parseNode(scanner, parseGraph));
  }
  return Object.assign(owner, { node });
}

/** Parses elements between commas, up to `end`. */
export function each<T>(scanner: Scanner, end: string, element: () => T): T[] {
  const elements: T[] = [];
  if (scanner.takes(end)) return elements;
  do elements.push(element());
  while (scanner.takes(','));
  scanner.expect(end, 'after the last of a list');
  return elements;
}

/** Parses a value with an optional type. */
export function valueInfo(scanner: Scanner): ValueInfo {
  const type = isTypeNext(scanner) ? { type: parseType(scanner) } : {};
  return { ...type, name: scanner.name('the name of a value') };
}

/** Parses an input, which may have a constant as its default. */
function input(scanner: Scanner, { values, constants }: Declared): void {
  const value = valueInfo(scanner);
  if (scanner.peek() === '=') constants.push(constant(scanner, value));
  values.push(annotate(scanner, value));
}

function valueOrConstant(scanner: Scanner, { values, constants }: Declared): void {
  const value = valueInfo(scanner);
  if (scanner.peek() === '=') constants.push(annotate(scanner, constant(scanner, value)));
  else values.push(annotate(scanner, value));
}

/** Parses a constant with its type and name. */
export const constantIn = (scanner: Scanner): Tensor => constant(scanner, valueInfo(scanner));

function constant(scanner: Scanner, { name, type }: ValueInfo): Tensor {
  const { at } = scanner;
  scanner.expect('=', 'before the elements');
  return { name: name ?? '', ...parseTensor(scanner, type ?? {}, at) };
}
