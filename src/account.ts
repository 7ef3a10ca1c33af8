import type { ValueType } from './graph/types.js';
import type { RunLimits } from './limits.js';
import type { HostValue, TensorValue } from './tensor/tensor-value.js';

/** A node that is about to run on the host. */
export interface HostNode {
  readonly inputCount: number;
  given(i: number): boolean;
  wanted(i: number): boolean;
  value(i: number): HostValue;
}

/** The limits of a session and its use of them. Exceeding one throws LIMIT before the memory is allocated. */
export interface Account {
  /** Undefined where the default holds. */
  readonly nodes: number | undefined;
  /** Milliseconds that are left. */
  readonly remaining: number;
  /** Begins a run on a linear memory of this size. */
  begin(limits: RunLimits, linearBytes: number): void;
  /** Ends it: values of the run are no longer counted. */
  end(): void;
  /** Called before linear memory grows to this size. */
  growTo(linearBytes: number): void;
  /** Called before `what` allocates this number of bytes. */
  demand(bytes: number, what: string): void;
  /** The same where room may be there already. */
  demandAlone(bytes: number, what: string): void;
  /** Bytes that host values hold now. */
  readonly held: number;
  /** Adds this number of bytes, which may be negative, to those that host values hold. */
  hold(bytes: number): void;
  /** A value of the graph has another value of the host than in the last iteration. */
  replace(of: object, value: HostValue): void;
  /** An output is about to be copied out, for the caller, or for the graph around `inner`, whose outputs stay until `giveBack`. */
  copyOut(bytes: number, inner: object | undefined): void;
  giveBack(inner: object): void;
  /** The bytes that a value of the host holds, about. */
  weigh(value: unknown): number;
  /** The host now holds a value: how many bytes that are. */
  holdValue(value: unknown): number;
  /** Keeps this number of the bytes held after the run, until a call with a negative number. */
  keep(bytes: number): void;
  /** Of all host values, only the model's constants are left. */
  settle(constants: readonly TensorValue[]): void;
  /** A model without its larger tensors is about to be read. */
  demandToRead(model: Uint8Array): void;
  /** A node is about to run on the host, for results of these types. */
  demandFor(node: HostNode, types: readonly (ValueType | null)[]): void;
  /** Steps of a loop on the host, of a few nanoseconds each: now and then they look at the clock. */
  spend(steps: number): void;
  /** Looks at the clock. */
  look(): void;
}

let current: Account | null = null;

/** The account of the session that works in this synchronous stretch; null where nothing is limited. */
export const account = (): Account | null => current;

/** Does synchronous work on an account. */
export function within<T>(of: Account | null, work: () => T): T {
  const before = current;
  current = of;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** Tells the account of memory that is about to grow. */
export const growTo = (linearBytes: number): void => current?.growTo(linearBytes);
