import type { Value } from '../../../graph/graph.js';
import { formatGuard, type Guard, type GuardLog, recording } from '../../../graph/guards.js';
import { keyOf, type Size } from '../../../graph/sizes.js';
import type { ElementType } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Formula } from '../lowering.js';
import type { Table } from './places.js';
import type { Finding } from './specialize.js';
import type { Guard as DataGuard, Lowered } from './stage.js';
import { Tape } from './tape.js';

/** A stage whose sizes are expressions of the sizes of its inputs. */
export interface Trace {
  readonly tape: Tape;
  /** Symbols of the inputs, with their values in the stage. */
  readonly symbols: readonly (readonly [name: string, size: number])[];
  readonly inputs: readonly TracedInput[];
  /** Findings that are not traced, in order. */
  readonly numeric: readonly NumericFinding[];
  /** Guards of the whole stage, including the capacities of its buffers. */
  readonly guards: readonly TracedGuard[];
  readonly nodes: readonly TracedNode[];
  readonly values: ReadonlyMap<Value, TracedValue>;
  /** For each slot of the stage, the tape slot of the number of rows that a run adds. */
  readonly fresh: readonly number[];
  readonly failures: readonly unknown[];
}

/** A tensor from outside the stage. */
export interface TracedInput {
  readonly value: Value;
  readonly element: ElementType;
  readonly dims: readonly Bound[];
  /** If the stage was planned for its contents: each number of a list of sizes, or contents that do not vary. */
  readonly contents: readonly Bound[] | TensorValue | null;
}

/** A number that does not vary, or the slot of its symbol. */
export type Bound = { readonly size: number } | { readonly slot: number };

/** A value whose sizes or contents depend on symbols. */
export interface TracedValue {
  readonly element: ElementType;
  readonly dims: readonly number[];
  /** Slots of its numbers; `made` if a finding computes them; null if the run does. */
  readonly contents: readonly number[] | 'made' | null;
}

/** A finding that is not traced. Its outputs' sizes are symbols, which it sets after the code before `at` has run. */
export interface NumericFinding {
  readonly finding: Finding;
  readonly at: number;
  /** Slots that it depends on. */
  readonly reads: readonly number[];
  /** Whether the sizes of its outputs are on the tape, so that it computes only contents. */
  readonly isInferred: boolean;
}

export interface TracedGuard {
  readonly kind: Guard['kind'];
  /** Slots. */
  readonly a: number;
  readonly b: number;
  readonly text: () => string;
}

/** A word of the program, by its index in 32-bit words, and the slot of its value. */
export interface MovingWord {
  readonly word: number;
  readonly slot: number;
}

/** A node whose launches depend on symbols. */
export interface TracedNode {
  readonly lowered: Lowered;
  /** Null if the node is lowered again for other sizes. */
  readonly moves: NodeMoves | null;
}

export interface NodeMoves {
  readonly guards: readonly TracedGuard[];
  readonly words: readonly MovingWord[];
  /** Words that hold addresses, and the slots of their offsets. */
  readonly pointers: readonly MovingWord[];
  readonly tables: readonly {
    readonly table: Table;
    readonly slots: readonly number[];
    readonly make: Formula['make'];
  }[];
  /** For each data check, the slots of the dims of the data and of the sizes that its complaint depends on. */
  readonly checks: readonly {
    readonly guard: DataGuard;
    readonly dims: readonly number[];
    readonly sizes: readonly number[];
  }[];
}

/** The tape of a trace, and the guards that its nodes assume. */
export class TraceLog implements GuardLog {
  readonly tape = new Tape();
  readonly guards: TracedGuard[] = [];
  /** Why nodes could not be traced. */
  readonly failures: unknown[] = [];
  #assumed = new Map<string, Guard>();

  valueOf(size: Size): number {
    return this.tape.valueOf(size);
  }

  slotsOf(sizes: readonly Size[]): number[] {
    return sizes.map((size) => this.tape.slotOf(size));
  }

  assume(guard: Guard): void {
    this.#assumed.set(`${guard.kind} ${keyOf(guard.a)} ${keyOf(guard.b)}`, guard);
  }

  /** Runs `trace`; returns the guards that it assumes, or undefined if it fails. */
  attempt(trace: () => void): TracedGuard[] | undefined {
    this.#assumed = new Map();
    try {
      recording(this, trace);
    } catch (error) {
      this.failures.push(error);
      return undefined;
    }
    return [...this.#assumed.values()].map((guard) => this.#compiled(guard));
  }

  /** Adds a guard of the whole stage: a size is at most a number. */
  requireAtMost(a: Size, b: number): void {
    if (typeof a !== 'number') this.guards.push(this.#compiled({ kind: 'at most', a, b }));
  }

  #compiled({ kind, a, b }: Guard): TracedGuard {
    return { kind, a: this.tape.slotOf(a), b: this.tape.slotOf(b), text: () => formatGuard({ kind, a, b }) };
  }
}
