import { SardonyxError } from '../../../base/errors.js';
import type { Value } from '../../../graph/graph.js';
import { symbol } from '../../../graph/sizes.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { Refusals } from '../../translation-error.js';
import type { Written } from './complete.js';
import { Draft, refuse } from './draft.js';
import {
  Attributes,
  elementOf,
  type FunctionDef,
  type GraphDef,
  type NodeDef,
  type SignatureDef,
  type TensorInfo,
  typeOf,
} from './graph-def.js';
import { OPERATORS, OUTPUTS, REASONS } from './operators/index.js';
import type { Operands } from './operators/operator.js';

/** State that all graphs of a model share. */
interface Library {
  readonly functions: ReadonlyMap<string, FunctionDef>;
  readonly weights: ReadonlyMap<string, TensorValue>;
  readonly refusals: Refusals;
  /** Names of functions that are currently being converted. */
  readonly open: readonly string[];
}

type Results = readonly Value[];

/** Converts a graph model. Nodes are in the order in which its outputs need them. */
export function writeGraphModel(
  topology: GraphDef,
  signature: SignatureDef | undefined,
  weights: ReadonlyMap<string, TensorValue>,
): Written {
  const draft = new Draft();
  const functions = new Map(topology.library?.function?.map((definition) => [definition.signature.name, definition]));
  const library: Library = { functions, weights, refusals: new Refusals(), open: [] };
  const nodes = new Map(topology.node.map((node) => [node.name, node]));
  const inputs = inputsOf(topology, signature);
  const given = new Map<string, Results>();
  const isAlone = inputs.length === 1;
  for (const [name, node, info] of inputs) {
    const value = library.refusals.collect(node.name, node.op, () =>
      inputOf(draft, name, node, info, isAlone, library),
    );
    if (value) given.set(node.name, [value]);
  }
  const wanted = outputsOf(topology, signature);
  const results = writeNodes(
    draft,
    nodes,
    wanted.map(([, reference]) => reference),
    given,
    library,
  );
  library.refusals.check();
  const outputs = wanted.map(([name], i): [string, Value] => [name, results[i] as Value]);
  return { draft, inputs: [...given.values()].map(([value]) => value as Value), outputs };
}

type NamedInput = readonly [name: string, node: NodeDef, info: TensorInfo | undefined];

const isPlaceholder = ({ op }: NodeDef) => op.startsWith('Placeholder');

function inputsOf({ node: nodes }: GraphDef, signature: SignatureDef | undefined): NamedInput[] {
  const named = Object.entries(signature?.inputs ?? {});
  if (named.length === 0) return nodes.filter(isPlaceholder).map((node) => [node.name, node, undefined]);
  return named.flatMap(([key, info]): NamedInput[] => {
    const { name } = referred(info.name);
    const node = nodes.find((other) => other.name === name);
    if (node) return [[key, node, info]];
    throw new SardonyxError('INVALID_MODEL', `the signature has the input "${key}", but there is no node "${name}"`);
  });
}

/** Adds an input. Unknown sizes are named after it; the first one is the batch. */
function inputOf(
  d: Draft,
  name: string,
  { op, attr, input = [] }: NodeDef,
  info: TensorInfo | undefined,
  isAlone: boolean,
  { weights }: Library,
): Value {
  const a = new Attributes(attr);
  const element = a.element('dtype', elementOf(info?.dtype ?? 'DT_FLOAT'));
  const shape = a.shape('shape') ?? info?.tensorShape;
  const value = d.input(
    name,
    typeOf(element, shape, (axis) => symbol(axis === 0 && isAlone ? 'batch' : `${name}_${axis}`)),
  );
  if (op !== 'PlaceholderWithDefault') return value;
  const standard = weights.get(referred(input[0] ?? '').name);
  value.constant = standard ?? refuse('the default value must be constant');
  value.isDefault = true;
  return value;
}

/** The outputs in the signature, or else the nodes that no other node reads. */
function outputsOf(
  { node: nodes }: GraphDef,
  signature: SignatureDef | undefined,
): [name: string, reference: string][] {
  const named = Object.entries(signature?.outputs ?? {});
  if (named.length) return named.map(([key, { name }]) => [key, name]);
  const read = new Set(nodes.flatMap(({ input = [] }) => input.map((reference) => referred(reference).name)));
  return nodes.filter((node) => !read.has(node.name) && !isPlaceholder(node)).map(({ name }) => [name, name]);
}

interface Reference {
  readonly name: string;
  /** The name of the output in references within functions; empty if only the index is given. */
  readonly output: string;
  readonly index: number;
}

function referred(reference: string): Reference {
  const parts = reference.replace(/^\^/, '').split(':');
  const index = Number(parts.length > 1 ? parts.at(-1) : 0);
  return { name: parts[0] as string, output: parts.length === 3 ? (parts[1] as string) : '', index };
}

const isControl = (reference: string) => reference.startsWith('^');

const operandsOf = ({ input = [] }: NodeDef): readonly string[] => input.filter((reference) => !isControl(reference));

/** Converts the nodes that the wanted values depend on. Returns undefined for values that are refused. */
function writeNodes(
  draft: Draft,
  nodes: ReadonlyMap<string, NodeDef>,
  wanted: readonly string[],
  given: ReadonlyMap<string, Results>,
  library: Library,
): (Value | undefined)[] {
  const results = new Map<string, Results | undefined>(given);
  const found = (reference: string): Value | undefined => {
    const { name, output, index } = referred(reference);
    const { op = '' } = nodes.get(name) ?? {};
    const named = Object.hasOwn(OUTPUTS, op) ? (OUTPUTS[op]?.indexOf(output) ?? -1) : -1;
    return results.get(name)?.[named < 0 ? index : named];
  };
  for (const node of inOrder(nodes, wanted, results, library)) {
    const operands = operandsOf(node).map(found);
    draft.scope = node.name;
    const write = () => written(draft, node, operands, library);
    // Nodes that read a refused node are skipped, but unknown operators are still reported.
    const isWhole = operandsOf(node).every((reference, k) => operands[k] ?? results.get(referred(reference).name));
    const isKnown = Object.hasOwn(OPERATORS, node.op) || node.op === 'Const';
    results.set(node.name, isWhole || !isKnown ? library.refusals.collect(node.name, node.op, write) : undefined);
  }
  return wanted.map(found);
}

function written(d: Draft, node: NodeDef, operands: readonly (Value | undefined)[], library: Library): Results {
  const { name, op, attr } = node;
  if (op === 'Const') {
    const tensor = library.weights.get(name);
    if (tensor) return [d.constant(tensor, name)];
    throw new SardonyxError('INVALID_MODEL', 'the weight is missing in the weight files');
  }
  const operator = Object.hasOwn(OPERATORS, op) ? OPERATORS[op] : undefined;
  if (!operator) return refuse(REASONS.find(([names]) => names.test(op))?.[1] ?? 'this operator is not supported');
  const call = (called: string, into: Draft, values: readonly Value[]) => writeFunction(called, into, values, library);
  const made = operator(operands as unknown as Operands, d, new Attributes(attr), { op, call });
  return 'name' in made ? [made] : made;
}

function writeFunction(name: string, d: Draft, values: readonly Value[], around: Library): Results {
  if (around.open.includes(name)) return refuse(`the function "${name}" calls itself`);
  const library = { ...around, open: [...around.open, name] };
  const definition = library.functions.get(name);
  if (!definition) throw new SardonyxError('INVALID_MODEL', `the model has no function "${name}"`);
  const { signature, nodeDef = [], ret = {} } = definition;
  const { inputArg = [], outputArg = [] } = signature;
  const nodes = new Map(nodeDef.map((node) => [node.name, node]));
  const given = new Map(inputArg.map((argument, i): [string, Results] => [argument.name, [values[i] as Value]]));
  const { scope } = d;
  const wanted = outputArg.map(({ name: output }) => ret[output] ?? output);
  const results = writeNodes(d, nodes, wanted, given, library);
  d.scope = scope;
  return results.map((value) => value ?? refuse(`the function "${name}" cannot be converted`));
}

/** The nodes that the wanted values depend on, in topological order. */
function inOrder(
  nodes: ReadonlyMap<string, NodeDef>,
  wanted: readonly string[],
  given: ReadonlyMap<string, unknown>,
  { refusals }: Library,
): NodeDef[] {
  const order: NodeDef[] = [];
  const states = new Map<string, 'open' | 'done'>();
  const stack = wanted.map((reference) => referred(reference).name).reverse();
  while (stack.length) {
    const name = stack.at(-1) as string;
    const node = nodes.get(name);
    if (given.has(name) || states.get(name) === 'done' || !node) {
      if (!node && !given.has(name))
        refusals.collect(name, 'node', () => refuse('the model refers to this node, but does not contain it'));
      stack.pop();
    } else if (states.get(name) === 'open') {
      states.set(name, 'done');
      order.push(node);
      stack.pop();
    } else {
      states.set(name, 'open');
      for (const reference of [...operandsOf(node)].reverse()) {
        const { name: operand } = referred(reference);
        if (states.get(operand) !== 'open') stack.push(operand);
        else if (!/^(Merge|NextIteration)$/.test(node.op))
          refusals.collect(name, node.op, () => refuse('the node depends on its own output'));
      }
    }
  }
  return order;
}
