import type { ValueType } from './graph/types.js';
import type { RunLimits } from './limits.js';
import type { HostValue, TensorValue } from './tensor/tensor-value.js';

/** A node that is about to run in JavaScript. */
export interface HostNode {
  readonly inputCount: number;
  given(i: number): boolean;
  wanted(i: number): boolean;
  value(i: number): HostValue;
}

/** The limits of a session and its use of them. Exceeding one throws LIMIT before the memory is allocated. */
export interface Account {
  /** Undefined if the default applies. */
  readonly nodes: number | undefined;
  /** Remaining milliseconds. */
  readonly remaining: number;
  /** Starts a run with a linear memory of this size. */
  begin(limits: RunLimits, linearBytes: number): void;
  /** Ends a run: its values no longer count. */
  end(): void;
  /** Called before linear memory grows to this size. */
  growTo(linearBytes: number): void;
  /** Called before `what` allocates this number of bytes. */
  demand(bytes: number, what: string): void;
  /** Like `demand`, for an allocation that may already be counted. */
  demandAlone(bytes: number, what: string): void;
  /** Bytes that JavaScript values currently hold. */
  readonly held: number;
  /** Adds this number of bytes, which may be negative, to those that JavaScript values hold. */
  hold(bytes: number): void;
  /** Counts a new JavaScript value of a graph value in place of the one from the previous iteration of a loop. */
  replace(of: object, value: HostValue): void;
  /** Called before an output is copied for the caller, or for the graph around `inner`, whose outputs stay until `giveBack`. */
  copyOut(bytes: number, inner: object | undefined): void;
  giveBack(inner: object): void;
  /** Estimates the bytes that a JavaScript value holds. */
  weigh(value: unknown): number;
  /** Counts a JavaScript value, and returns its number of bytes. */
  holdValue(value: unknown): number;
  /** Keeps this number of bytes counted after the run, until a call with a negative number. */
  keep(bytes: number): void;
  /** Resets JavaScript values to the model's constants. */
  settle(constants: readonly TensorValue[]): void;
  /** Called before a model without its larger tensors is read. */
  demandToRead(model: Uint8Array): void;
  /** Called before a node runs in JavaScript, with the types of its results. */
  demandFor(node: HostNode, types: readonly (ValueType | null)[]): void;
  /** Counts steps of a loop in JavaScript, of a few nanoseconds each; checks the clock now and then. */
  spend(steps: number): void;
  /** Checks the clock. */
  look(): void;
}

let current: Account | null = null;

/** The account of the session that is running synchronously; null without limits. */
export const account = (): Account | null => current;

/** Runs synchronous work on an account. */
export function within<T>(of: Account | null, work: () => T): T {
  const before = current;
  current = of;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** Called before linear memory grows. */
export const growTo = (linearBytes: number): void => current?.growTo(linearBytes);
