import { NodeView } from '../../../analysis/node-view.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { type TensorType, tensorType } from '../../../graph/types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { sameItems, sameType } from './equality.js';
import { sameOutcome } from './same-outcome.js';
import { type Finding, foldNode, outcomeOf } from './specialize.js';
import type { Stage } from './stage.js';
import type { Bound, NumericFinding, Trace, TracedGuard, TracedValue } from './traced.js';

/** The limit in bytes on contents kept for sizes that may recur. */
const MOST_KEPT_BYTES = 1 << 20;

export const holds = ({ kind, a, b }: TracedGuard, values: readonly number[]): boolean => {
  const [x, y] = [values[a] as number, values[b] as number];
  return kind === 'at most' ? x <= y : kind === 'equal' ? x === y : x !== y;
};

/** The sizes and contents of a traced stage, computed from the numbers of its inputs. */
export class CurrentFacts {
  readonly values: number[];
  /** Facts that repeated findings read. */
  readonly #facts: Facts;
  /** Contents that findings have computed at the sizes in `values`. */
  readonly #made = new Map<Value, TensorValue>();
  readonly #lastReads = new Map<NumericFinding, readonly number[]>();
  /** Results of findings, by the numbers that they depend on. */
  readonly #kept = new Map<string, [Value, Fact][]>();
  #keptBytes = 0;

  constructor(
    private readonly stage: Stage,
    private readonly trace: Trace,
    /** Where the numbers of inputs go. */
    private readonly bound: readonly Bound[],
  ) {
    const { start } = stage.blueprint;
    this.values = trace.tape.values;
    this.#facts = start.facts.fork();
    for (const found of trace.numeric) {
      this.#lastReads.set(found, this.read(found.reads));
      for (const value of found.finding.node.outputs) {
        const contents = value && start.facts.get(value)?.contents;
        if (contents) this.#made.set(value, contents);
      }
    }
  }

  read(slots: readonly number[]): number[] {
    return slots.map((slot) => this.values[slot] as number);
  }

  /** Computes all facts from the numbers of inputs; returns whether the guards of the stage hold. */
  compute(at: readonly number[]): boolean {
    if (!this.#bind(at)) return false;
    const { tape, numeric, guards } = this.trace;
    let from = 0;
    for (const each of numeric) {
      tape.run(from, each.at);
      from = each.at;
      if (!this.#update(each)) return false;
    }
    tape.run(from, tape.end);
    return guards.every((guard) => holds(guard, this.values));
  }

  /** Repeats a finding at the current sizes; false if the outcome differs. */
  #update(found: NumericFinding): boolean {
    const { reads } = found;
    const now = this.read(reads);
    if (sameItems(now, this.#lastReads.get(found) ?? [])) return true;
    this.#lastReads.delete(found);
    const key = `${this.trace.numeric.indexOf(found)}: ${now}`;
    const facts = this.#kept.get(key) ?? this.#inferByNumbers(found);
    if (!facts) return false;
    for (const [value, fact] of facts) this.#note(value, fact);
    this.#keep(key, facts);
    this.#lastReads.set(found, now);
    return true;
  }

  /** Facts about a node's outputs at the current sizes; undefined if the outcome differs. */
  #inferByNumbers({ finding, isInferred }: NumericFinding): [Value, Fact][] | undefined {
    const { node, operands, outcome } = finding;
    const facts = this.#facts;
    for (const value of operands) if (this.trace.values.has(value)) facts.set(value, this.factOf(value));
    const types = isInferred ? node.outputs.map((value) => value && this.#typeOf(value)) : undefined;
    const isSame = outcome.kind === 'folded' ? foldNode(new NodeView(node, facts), types) : this.#isSame(finding);
    if (!isSame) return undefined;
    if (outcome.kind === 'parts') return [];
    return node.outputs.flatMap((value): [Value, Fact][] => {
      const fact = value && facts.get(value);
      return fact ? [[value, fact]] : [];
    });
  }

  /** Caches facts, because sizes recur, as in each conversation with a language model. */
  #keep(key: string, facts: [Value, Fact][]): void {
    if (this.#kept.has(key)) return;
    this.#keptBytes += 64 + facts.reduce((sum, [, { contents }]) => sum + 8 * (contents?.data.length ?? 0), 0);
    if (this.#keptBytes <= MOST_KEPT_BYTES) this.#kept.set(key, facts);
  }

  /** Whether a node has the same outcome as in the base, including the constants of its decomposition. */
  #isSame({ node, operands, outcome }: Finding): boolean {
    const { start } = this.stage.blueprint;
    const evaluating = { now: start.evaluates, held: start.lasting };
    const now = outcomeOf(new NodeView(node, this.#facts), operands, evaluating, true);
    let isConstant = true;
    const isSame = sameOutcome(outcome, now, (value, { contents }) => {
      isConstant &&= sameItems(contents?.data ?? [], value.constant?.data ?? []);
    });
    return isSame && isConstant;
  }

  /** Writes the sizes and numbers of a value to their slots. */
  #note(value: Value, fact: Fact): void {
    const traced = this.trace.values.get(value);
    const before = this.stage.blueprint.start.facts.get(value) as Fact;
    if (!traced && sameType(before.type, fact.type)) return;
    if (!traced || fact.type.kind !== 'tensor') throw new Error(`"${value.name}" has become something else`);
    for (const [axis, slot] of traced.dims.entries()) this.#set(slot, fact.type.dims?.[axis] as number);
    if (fact.contents) this.#made.set(value, fact.contents);
    if (!traced.contents || traced.contents === 'made') return;
    if (fact.contents?.data.length !== traced.contents.length) throw new Error(`"${value.name}" has another length`);
    for (const [i, slot] of traced.contents.entries()) this.#set(slot, Number(fact.contents?.data[i]));
  }

  /** Sets a symbol, or checks a size that the tape computes. */
  #set(slot: number, value: number): void {
    if (this.trace.tape.isSymbol(slot)) this.values[slot] = value;
    else if (this.values[slot] !== value) throw new Error(`a size of ${value} is not ${this.values[slot]}`);
  }

  /** Sets the symbols; false if a fixed number differs, or a symbol would have two values. */
  #bind(at: readonly number[]): boolean {
    for (let i = 0; i < at.length; i++) {
      const bound = this.bound[i] as Bound;
      if ('slot' in bound) this.values[bound.slot] = at[i] as number;
    }
    return this.bound.every((bound, i) => at[i] === ('slot' in bound ? this.values[bound.slot] : bound.size));
  }

  #typeOf(value: Value): TensorType {
    const { element, dims } = this.trace.values.get(value) as TracedValue;
    return tensorType(element, this.read(dims));
  }

  factOf(value: Value): Fact {
    const traced = this.trace.values.get(value);
    if (!traced) return this.stage.blueprint.start.facts.get(value) as Fact;
    const { element, contents } = traced;
    const type = this.#typeOf(value);
    if (!contents) return { type };
    if (contents === 'made') return { type, contents: this.#made.get(value), isOfSizes: true };
    return { type, contents: tensorOf(element, type.dims as readonly number[], this.read(contents)), isOfSizes: true };
  }

  /** A function that returns all facts at the current sizes, even after these have changed. */
  factsLater(): () => Facts {
    const { start, specialized } = this.stage.blueprint;
    const given = this.trace.inputs.map(({ value }) => [value, this.factOf(value)] as const);
    let known: Facts | undefined;
    return () => {
      if (known) return known;
      const facts = start.facts.fork();
      known = facts;
      for (const [value, fact] of given) facts.set(value, fact);
      const evaluating = { now: start.evaluates, held: start.lasting };
      for (const { node, operands, outcome } of specialized.findings) {
        const found = outcomeOf(new NodeView(node, facts), operands, evaluating, true);
        sameOutcome(outcome, found, (value, fact) => facts.set(value, fact));
      }
      return facts;
    };
  }
}
