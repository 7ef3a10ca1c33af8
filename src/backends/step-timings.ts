// Details of timed steps, loaded with the first timed run.
import { NodeView } from '../analysis/node-view.js';
import { SardonyxError } from '../base/errors.js';
import type { Facts } from '../graph/facts.js';
import type { Node, Value } from '../graph/graph.js';
import { idsOf } from '../graph/origins.js';
import type { ValueType } from '../graph/types.js';
import type { Use } from '../schema/definition.js';
import { byteLength } from '../tensor/element-types.js';
import { elementCount, type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import type { NotedStep } from './noted-step.js';
import type { StepTiming, ThreadTiming } from './step-timing.js';

/** The work of a node: bytes read and written, and multiply-adds, or null where unknown. */
interface Work {
  readonly bytes: number;
  readonly multiplyAdds: number | null;
}

/** The steps as profiles show them. */
export function timingsOf(steps: readonly NotedStep[]): StepTiming[] {
  const shares = sharesOf(steps);
  return steps.map((step, i) => {
    const { node, provider, kernel, tiles, run, start, milliseconds } = step;
    const { bytes, multiplyAdds } = shares[i] as Work;
    const { name, op: operator } = node;
    const origins = idsOf(node);
    const threads = threadsOf(step);
    return {
      node: name,
      operator,
      origins,
      provider,
      kernel,
      run,
      start,
      milliseconds,
      tiles,
      threads,
      bytes,
      multiplyAdds,
    };
  });
}

/** Clamped to the step, because clocks of threads may differ. */
function threadsOf({ start, milliseconds, tiles, shares }: NotedStep): ThreadTiming[] {
  if (!shares) return [{ thread: 0, start, milliseconds, tiles }];
  return shares.map(({ thread, after, milliseconds: own, tiles }) => {
    const length = Math.min(Math.max(own, 0), milliseconds);
    return { thread, start: start + Math.min(Math.max(after, 0), milliseconds - length), milliseconds: length, tiles };
  });
}

/** Each step's share of its node's work, which the steps of the node in one run divide by time. */
function sharesOf(steps: readonly NotedStep[]): Work[] {
  const shares: Work[] = [];
  for (const group of stepsOfNodes(steps)) {
    const whole = workOf(steps[group[0] as number] as NotedStep);
    const parts = partsOf(group.map((i) => (steps[i] as NotedStep).milliseconds));
    for (const [k, i] of group.entries())
      shares[i] = {
        bytes: Math.round(whole.bytes * (parts[k] as number)),
        multiplyAdds: whole.multiplyAdds === null ? null : Math.round(whole.multiplyAdds * (parts[k] as number)),
      };
  }
  return shares;
}

/** The indices of steps, grouped by node and run. */
function stepsOfNodes(steps: readonly NotedStep[]): Iterable<number[]> {
  const groups = new Map<object, number[]>();
  const found: number[][] = [];
  let run = -1;
  for (const [i, step] of steps.entries()) {
    if (step.run !== run) groups.clear();
    run = step.run;
    const group = groups.get(step.node) ?? [];
    if (group.length === 0) found.push(group);
    groups.set(step.node, group);
    group.push(i);
  }
  return found;
}

function partsOf(milliseconds: readonly number[]): number[] {
  const sum = milliseconds.reduce((a, b) => a + b, 0);
  return milliseconds.map((own) => (sum > 0 ? own / sum : 1 / milliseconds.length));
}

function workOf({ node, facts, bytes }: NotedStep): Work {
  if (facts) return workOfNode(node as Node, facts(), bytes);
  return { bytes: bytes ?? 0, multiplyAdds: null };
}

/** The work of a node on operands of known sizes; `written` gives the bytes of its results if facts do not. */
function workOfNode(node: Node, facts: Facts, written?: number): Work {
  const view = new NodeView(node, facts);
  const bytesOf = (value: Value | null) => (value ? bytesOfType(facts.get(value)?.type) : 0);
  const output = written ?? node.outputs.map(bytesOf).reduce((a, b) => a + b, 0);
  const [first = 0, ...others] = node.inputs.map((value, i) => (node.inputs.indexOf(value) === i ? bytesOf(value) : 0));
  const picks = view.operator.computes?.primitive.facts.picks === true;
  const input = others.reduce((a, b) => a + b, picks ? Math.min(first, output) : first);
  return { bytes: input + output, multiplyAdds: multiplyAddsOf(view) };
}

function multiplyAddsOf(view: NodeView): number | null {
  const { computes, iterate, decompose } = view.operator;
  if (!computes) return iterate || decompose ? null : 0;
  const count = computes.primitive.facts.multiplyAdds;
  if (!count) return 0;
  try {
    const parameters = (computes as Use<unknown, unknown>).parameters(view);
    return parameters === undefined ? null : count(view, parameters);
  } catch (error) {
    if (error instanceof SardonyxError) return null;
    throw error;
  }
}

const bytesOfType = (type: ValueType | undefined): number =>
  type?.kind === 'tensor' && type.element !== 'string' && type.dims?.every((size) => typeof size === 'number')
    ? byteLength(type.element, elementCount(type.dims as number[]))
    : 0;

/** Bytes of a value on the host; strings do not count. */
export function bytesOfValue(value: HostValue | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + bytesOfValue(item), 0);
  return value && isTensorValue(value) && value.type !== 'string'
    ? byteLength(value.type, elementCount(value.dims))
    : 0;
}
