import type { Fact } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { sameItems } from './equality.js';
import type { Outcome } from './specialize.js';

/** Whether an outcome is the same at other sizes. `learn` gets each constant of a decomposition and its present fact. */
export function sameOutcome(before: Outcome, now: Outcome, learn: (value: Value, fact: Fact) => void): boolean {
  if (before.kind === 'parts') return now.kind === 'parts' && sameParts(before.nodes, now.nodes, learn);
  if (before.kind === 'runnable') return now.kind === 'runnable' && sameItems(before.dynamic, now.dynamic);
  if (before.kind === 'deferred') return now.kind === 'deferred' && sameItems(before.missing, now.missing);
  return now.kind === 'folded';
}

/**
 * Whether the nodes that replace a node are the same as before, except for names. `learn` gets each former constant and
 * the fact about its present counterpart.
 */
function sameParts(before: readonly Node[], now: readonly Node[], learn: (value: Value, fact: Fact) => void): boolean {
  if (before.length !== now.length) return false;
  const known = new Map<Value, Value>();
  return now.every((node, i) => {
    const old = before[i] as Node;
    if (node === old) return true;
    const isSame = node.op === old.op && node.domain === old.domain && node.opset === old.opset;
    if (!isSame || node.outputs.length !== old.outputs.length || !sameData(node.attributes, old.attributes))
      return false;
    for (const [k, value] of node.outputs.entries()) {
      const counterpart = old.outputs[k];
      if (!value !== !counterpart) return false;
      if (value && counterpart) known.set(value, counterpart);
    }
    return sameInputs(node, old, known, learn);
  });
}

function sameInputs(
  { inputs }: Node,
  old: Node,
  known: ReadonlyMap<Value, Value>,
  learn: (value: Value, fact: Fact) => void,
): boolean {
  if (inputs.length !== old.inputs.length) return false;
  return inputs.every((value, i) => {
    const counterpart = old.inputs[i];
    if (!value || !counterpart) return !value && !counterpart;
    if (value === counterpart || known.get(value) === counterpart) return true;
    const { constant } = value;
    if (!constant || !counterpart.constant) return false;
    learn(counterpart, { type: tensorType(constant.type, constant.dims), contents: constant });
    return true;
  });
}

/** Whether attributes are equal; objects other than plain data, such as graphs, must be identical. */
function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || !isPlain(a)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => sameData(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

const isPlain = (data: object) =>
  Array.isArray(data) || ArrayBuffer.isView(data) || Object.getPrototypeOf(data) === Object.prototype;
