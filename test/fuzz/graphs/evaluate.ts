import { toAttributes } from '../../../src/builder/attributes.js';
import { modelBuilder } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ValueType } from '../../../src/graph/types.js';
import { InferenceSession } from '../../../src/index.js';
import { isTensorValue } from '../../../src/tensor/tensor-value.js';
import type { PlainArray, PlainValue } from '../reference/array.js';
import type { ReferenceNode } from '../reference/definition.js';
import { REFERENCES } from '../reference/index.js';
import { isPlainArray, plainOfTensor, plainOfValue, valueOfPlain } from './plain-tensors.js';
import { type Body, DOMAINS, type Program, type ProgramFunction, type ProgramNode } from './program.js';

/** What rounding could make of values. */
export interface Noise {
  /** Of those that the program is given: feeds and constants. */
  given(value: PlainValue): PlainValue;
  computed(value: PlainValue): PlainValue;
  /** Of what is summed many times over on the way, or in another basis: the largest set the error of all. */
  cancelled(value: PlainValue): PlainValue;
}

const unchanged = (value: PlainValue) => value;
export const exact: Noise = { given: unchanged, computed: unchanged, cancelled: unchanged };

export type Values = ReadonlyMap<string, PlainValue>;

/** Where nodes are evaluated. */
export interface Surroundings {
  readonly opset: number;
  readonly functions: readonly ProgramFunction[];
  readonly noise: Noise;
}

/** Evaluates every node in float64; values by name. */
export async function evaluateProgram(program: Program, feeds: Values, noise: Noise = exact): Promise<Values> {
  const values = new Map<string, PlainValue>();
  for (const { name } of program.inputs) values.set(name, noise.given(feeds.get(name) as PlainValue));
  for (const { name, value } of program.constants) values.set(name, noise.given(feeds.get(name) ?? value));
  const surroundings = { opset: program.opset, functions: program.functions, noise };
  for (const node of program.nodes) {
    const results = evaluateNode(node, values, surroundings) ?? (await runAlone(node, values, surroundings));
    keep(node, results, values);
  }
  return values;
}

function keep({ outputs }: ProgramNode, results: readonly (PlainValue | undefined)[], values: Map<string, PlainValue>) {
  outputs.forEach((name, i) => {
    if (name !== null && results[i] !== undefined) values.set(name, results[i]);
  });
}

/** Winograd's algorithm (https://arxiv.org/abs/1509.09308) adds and takes away multiples of values; so do weights, gates and biases. */
const CANCELLING: ReadonlySet<string> = new Set([
  ...['Conv', 'Resize', 'GRU', 'LSTM', 'RNN'],
  ...['BatchNormalization', 'GroupNormalization', 'InstanceNormalization', 'LayerNormalization'],
]);

/** The node's outputs by its plain definition; undefined where there is none. */
export function evaluateNode(
  node: ProgramNode,
  values: Values,
  around: Surroundings,
): (PlainValue | undefined)[] | undefined {
  const operands = node.inputs.map((name) => (name === null ? undefined : values.get(name)));
  if (node.domain === 'local') return callFunction(node, operands as PlainValue[], around);
  const results = REFERENCES.get(node.domain ? `${node.domain}:${node.op}` : node.op)?.({
    op: node.op,
    domain: node.domain,
    opset: node.domain ? (DOMAINS[node.domain] as number) : around.opset,
    inputs: operands,
    attributes: plainAttributes(node),
    outputs: node.outputs.length,
    run: (name, inputs) => runBody(node.bodies?.[name] as Body, inputs, values, around),
  });
  const noise = CANCELLING.has(node.op) ? around.noise.cancelled : around.noise.computed;
  return results?.map((value) => value && noise(value));
}

function plainAttributes({ attributes }: ProgramNode): ReferenceNode['attributes'] {
  const typed = Object.entries(toAttributes(attributes)).map(([name, { value }]) => [
    name,
    isTensorValue(value) ? plainOfTensor(value) : value,
  ]);
  return Object.fromEntries(typed);
}

function callFunction({ op }: ProgramNode, operands: readonly PlainValue[], around: Surroundings) {
  const called = around.functions.find(({ name }) => name === op) as ProgramFunction;
  return runNodes(
    called.nodes,
    new Map(called.inputs.map((name, i) => [name, operands[i] as PlainValue])),
    around,
  )(called.outputs);
}

function runBody(body: Body, inputs: readonly PlainValue[], outer: Values, around: Surroundings): PlainValue[] {
  const own = body.inputs.map(({ name }, i) => [name, inputs[i] as PlainValue] as const);
  return runNodes(body.nodes, new Map([...outer, ...own]), around)(body.outputs);
}

const runNodes = (nodes: readonly ProgramNode[], values: Map<string, PlainValue>, around: Surroundings) => {
  for (const node of nodes) {
    const results = evaluateNode(node, values, around);
    if (!results) throw new Error(`${node.op} has no plain definition`);
    keep(node, results, values);
  }
  return (outputs: readonly string[]) => outputs.map((name) => values.get(name) as PlainValue);
};

/** Runs a node that has no plain definition in a session of its own: its surroundings are tested, not the operator. */
export async function runAlone(node: ProgramNode, values: Values, { opset, noise }: Surroundings) {
  const b = modelBuilder({ opset, opsets: DOMAINS });
  const read = [...new Set(node.inputs)].filter((name) => name !== null);
  const inputs = new Map(read.map((name) => [name, b.input(name, typeOf(values.get(name) as PlainValue))]));
  const operands = node.inputs.map((name) => (name === null ? null : (inputs.get(name) as Value)));
  const names = node.outputs.map((name) => name ?? null);
  const made = b.node(node.op, operands, node.attributes, { domain: node.domain, outputs: names });
  for (const value of made) if (value) b.output(value.name, value);
  const session = await InferenceSession.create(b.toBytes(), { graphOptimizationLevel: 'disabled' });
  try {
    const feeds = read.map((name) => [name, valueOfPlain(values.get(name) as PlainValue)] as const);
    const results = await session.run(Object.fromEntries(feeds));
    return node.outputs.map((name) =>
      name === null ? undefined : noise.computed(plainOfValue(results[name] as never)),
    );
  } finally {
    await session.release();
  }
}

function typeOf(value: PlainValue): ValueType {
  if (isPlainArray(value)) return { kind: 'tensor', element: value.type };
  const [first] = (value ?? []) as readonly PlainArray[];
  if (!first) throw new Error('an empty sequence has no type');
  return { kind: 'sequence', of: typeOf(first) };
}
