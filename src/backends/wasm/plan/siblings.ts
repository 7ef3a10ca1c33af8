import { bitOf, EVERYTHING } from '../../../analysis/node-view.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import type { AnyOperator } from '../../../schema/definition.js';
import { operatorOf } from '../../../schema/registry.js';
import { sameContents, sameItems, sameType } from './facts-alike.js';
import type { Launch } from './launch.js';
import { sameData } from './same-parts.js';
import type { Blueprint, HostCall, Lowered } from './stage.js';

/**
 * The families of a stage's nodes, as the layers of a network: one operator with the same attributes on values of the same
 * types. Their launches are the same, each on memory of its own.
 */
export class Siblings {
  readonly #facts: Facts;
  readonly #lowered: ReadonlyMap<Node, Lowered>;
  readonly #families = new Map<Lowered, Lowered>();
  readonly #eldest = new Map<AnyOperator, Lowered[]>();

  constructor({ start, lowered }: Blueprint) {
    this.#facts = start.facts;
    this.#lowered = new Map(lowered.map((each) => [each.node, each]));
  }

  /** The eldest of the family that a node belongs to; undefined for one that is like no other. */
  familyOf(node: Node): Lowered | undefined {
    const lowered = this.#lowered.get(node);
    if (!lowered || lowered.looked === EVERYTHING) return undefined;
    const known = this.#families.get(lowered) ?? this.#find(lowered);
    this.#families.set(lowered, known);
    return known;
  }

  #find(lowered: Lowered): Lowered {
    const operator = operatorOf(lowered.node);
    const eldest = this.#eldest.get(operator) ?? [];
    const found = eldest.find((each) => this.#isAlike(each, lowered));
    if (!found) this.#eldest.set(operator, [...eldest, lowered]);
    return found ?? lowered;
  }

  #isAlike(a: Lowered, b: Lowered): boolean {
    return (
      a.looked === b.looked &&
      isWiredAlike(a.node, b.node) &&
      sameData(a.node.attributes, b.node.attributes) &&
      seeAlike(a.node, b.node, a.looked, this.#facts) &&
      giveAlike(a.node, b.node, this.#facts) &&
      runAlike(a.steps, b.steps)
    );
  }
}

/** Whether what is known of two nodes' inputs is the same, of their contents as far as `looked` says. */
export function seeAlike({ inputs: a }: Node, { inputs: b }: Node, looked: number, facts: Facts): boolean {
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    const y = b[i];
    if (!x || !y || x === y) continue;
    const one = facts.get(x);
    const other = facts.get(y);
    if (!one || !other || !sameType(one.type, other.type) || !one.contents !== !other.contents) return false;
    if ((looked & bitOf(i)) !== 0 && !sameContents(one.contents, other.contents)) return false;
  }
  return true;
}

/** Whether the outputs of two nodes are of the same types. */
export function giveAlike({ outputs: a }: Node, { outputs: b }: Node, facts: Facts): boolean {
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    const y = b[i];
    const one = x && facts.get(x);
    const other = y && facts.get(y);
    if (!one !== !other || (one && other && !sameType(one.type, other.type))) return false;
  }
  return true;
}

/** Whether two nodes lack the same inputs and outputs, and are given one value at the same inputs. */
const isWiredAlike = (a: Node, b: Node): boolean =>
  sameItems(wiringOf(a.inputs), wiringOf(b.inputs)) && sameItems(wiringOf(a.outputs), wiringOf(b.outputs));

const wiringOf = (values: readonly (Value | null)[]): number[] =>
  values.map((value) => (value ? values.indexOf(value) : -1));

/** Whether the same kernels run, and the same outputs lie where the same inputs lay. */
function runAlike(a: Lowered['steps'], b: Lowered['steps']): boolean {
  return (
    a.length === b.length &&
    a.every(
      (step, i) =>
        kernelIn(step) === kernelIn(b[i] as Launch) && sameItems(takeoverIn(step), takeoverIn(b[i] as Launch)),
    )
  );
}

const kernelIn = (step: Launch | HostCall) => ('kernel' in step ? step.kernel : null);

/** Which of the buffers that a launch writes and reads are the two of its takeover. */
function takeoverIn(step: Launch | HostCall): boolean[] {
  if (!('kernel' in step) || !step.takeover) return [];
  const { source, target } = step.takeover;
  return [...step.writes.map((written) => written === target), ...step.reads.map((read) => read === source)];
}
