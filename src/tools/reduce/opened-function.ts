import type { FunctionProto, GraphProto, NodeProto, ValueInfoProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { inferFunctionOutputTypes } from '../infer/index.js';
import { readsOf, withSubgraphs } from '../surgery/bodies.js';
import { infoOf as infoWith } from '../surgery/declared.js';
import { filtered } from '../surgery/filtered.js';
import { calledBy, keyOf } from '../surgery/functions.js';
import { graphOf } from '../surgery/refuse.js';
import type { Part } from './closed.js';
import { nodesUnder, type Subject } from './subject.js';

/** A function from which single nodes can be removed. */
export interface OpenedFunction {
  /** The subject, extended by the values of the function under the names that each call gives them. */
  readonly subject: Subject;
  readonly partWith: (kept: readonly NodeProto[]) => Part;
}

/**
 * Opens a function: its values can become inputs and outputs of its calls. Undefined if other functions call it. Values
 * stay unknown if the input types of a call are.
 */
export async function openedFunction(definition: FunctionProto, subject: Subject): Promise<OpenedFunction | undefined> {
  const { functions } = subject.model.proto;
  const key = keyOf(definition);
  const isCall = (node: NodeProto) => calledBy(node) === key;
  if (functions.some(({ node }) => node.some(isCall))) return undefined;
  const graph = graphOf(subject.model);
  const known = new Map<string, ValueInfoProto>();
  for (const call of nodesUnder(graph).filter(isCall))
    for (const info of (await typesIn(definition, call, subject)) ?? []) known.set(info.name, info);
  return {
    subject: { ...subject, infoOf: (name) => known.get(name) ?? subject.infoOf(name) },
    partWith(kept) {
      const smaller = withNodes(definition, kept);
      return {
        graph: withCalls(graph, (node) => (isCall(node) ? callOf(smaller, definition, node) : node)),
        functions: functions.map((other) => (other === definition ? smaller : other)),
      };
    },
  };
}

/** The name outside for a value of a function in a call. */
const nameAt = (call: NodeProto, name: string): string => `${call.output.find(Boolean)}/${name}`;

/** The types of all values that a function produces in a call. */
async function typesIn(definition: FunctionProto, call: NodeProto, { infoOf }: Subject) {
  const inputs = call.input.map((name) => infoOf(name)?.type);
  const made = definition.node.flatMap(({ output }) => output).filter(Boolean);
  const types = await inferFunctionOutputTypes(
    withChanges(definition, { output: made }),
    inputs as NonNullable<(typeof inputs)[number]>[],
    call.attribute,
    { strict: false },
  ).catch(() => undefined);
  return types?.flatMap((type, i) => (type.tensorType?.shape ? [infoWith(nameAt(call, made[i] as string), type)] : []));
}

/**
 * The function with some of its nodes. Values that are no longer produced become inputs, and unread values become
 * outputs.
 */
function withNodes(definition: FunctionProto, kept: readonly NodeProto[]): FunctionProto {
  const read = new Set(kept.flatMap(readsOf));
  const made = kept.flatMap(({ output }) => output).filter(Boolean);
  const given = [...read].filter((name) => !made.includes(name) && !definition.input.includes(name));
  const output = made.filter((name) => definition.output.includes(name) || !read.has(name));
  return withChanges(definition, {
    node: [...kept],
    input: [...filtered(definition.input, (name) => read.has(name)), ...given],
    output,
    valueInfo: filtered(definition.valueInfo, ({ name }) => read.has(name) || made.includes(name)),
  });
}

/** Adapts a call to the changed inputs and outputs of a function. */
function callOf(now: FunctionProto, before: FunctionProto, call: NodeProto): NodeProto {
  const outside = (names: readonly string[], given: readonly string[]) => (name: string) => {
    const at = names.indexOf(name);
    return at < 0 ? nameAt(call, name) : (given[at] ?? '');
  };
  return withChanges(call, {
    input: now.input.map(outside(before.input, call.input)),
    output: now.output.map(outside(before.output, call.output)),
  });
}

const withCalls = (graph: GraphProto, change: (node: NodeProto) => NodeProto): GraphProto =>
  withChanges(graph, {
    node: changedList(graph.node, (node) => withSubgraphs(change(node), (inner) => withCalls(inner, change))),
  });
