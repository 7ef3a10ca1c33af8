import type { Account, HostNode } from '../account.js';
import { didYouMean, quoted } from '../advice/near.js';
import { optionsOf } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { ValueType } from '../graph/types.js';
import type { LimitedBy, Limits, RunLimits } from '../limits.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import { exceeded } from './exceeded.js';
import { needOf } from './need.js';
import { bytesToRead } from './reading.js';
import { weightOf } from './weight.js';

interface Bound {
  readonly value: number;
  readonly by: LimitedBy;
}

const KNOWN: Readonly<Record<LimitedBy, readonly (keyof Limits)[]>> = {
  create: ['memoryBytes', 'nodes', 'milliseconds'],
  run: ['memoryBytes', 'milliseconds'],
  default: [],
};

/** @throws SardonyxError INVALID_ARGUMENT */
function checked(limits: Limits, by: LimitedBy): Limits {
  const given = optionsOf(limits, `limits of ${by}`, '{ memoryBytes: 2 ** 30 }');
  for (const [name, value] of Object.entries(given)) {
    if (!KNOWN[by].includes(name as keyof Limits))
      throw invalid(`limits of ${by} are ${quoted(KNOWN[by])}, not "${name}"${didYouMean(name, KNOWN[by])}`);
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      throw invalid(`limits: ${name} must be a positive number, not ${shown(value)}`);
  }
  return given;
}

const invalid = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);

const bound = (value: number | undefined, by: LimitedBy): Bound => ({ value: value ?? Number.POSITIVE_INFINITY, by });

const tighter = (own: Bound, value: number | undefined): Bound =>
  value !== undefined && value < own.value ? bound(value, 'run') : own;

const inWords = (n: number) => n.toLocaleString('en', { maximumFractionDigits: 0 });

/** Steps between two checks of the clock: about a millisecond. */
const STEPS_PER_LOOK = 1 << 16;

class LimitedAccount implements Account {
  readonly nodes: number | undefined;
  readonly #sessionMemory: Bound;
  readonly #sessionTime: Bound;
  #memory: Bound;
  #time: Bound;
  #end: number;
  #linear = 0;
  #held = 0;
  #kept = 0;
  #steps = 0;
  /** Bytes held for values of graphs, and for the outputs of inner ones. */
  readonly #owned = new Map<object, number>();

  constructor(limits: Limits) {
    const by = 'create';
    const { memoryBytes, nodes, milliseconds } = checked(limits, by);
    this.nodes = nodes;
    this.#memory = this.#sessionMemory = bound(memoryBytes, by);
    this.#time = this.#sessionTime = bound(milliseconds, by);
    this.#end = performance.now() + this.#time.value;
  }

  get remaining(): number {
    return this.#end - performance.now();
  }

  get held(): number {
    return this.#held;
  }

  begin(limits: RunLimits, linearBytes: number): void {
    const { memoryBytes, milliseconds } = checked(limits, 'run');
    this.#memory = tighter(this.#sessionMemory, memoryBytes);
    this.#time = tighter(this.#sessionTime, milliseconds);
    this.#end = performance.now() + this.#time.value;
    this.#linear = linearBytes;
  }

  end(): void {
    this.#held = this.#kept;
    this.#owned.clear();
    this.#memory = this.#sessionMemory;
    this.#end = Number.POSITIVE_INFINITY;
  }

  growTo(linearBytes: number): void {
    this.#refuseBeyond(linearBytes - this.#linear, 'linear memory');
    this.#linear = linearBytes;
  }

  demand(bytes: number, what: string): void {
    this.#refuseBeyond(bytes, what);
  }

  demandAlone(bytes: number, what: string): void {
    if (bytes > this.#memory.value) throw this.#tooMuch(bytes, what, 0);
  }

  hold(bytes: number): void {
    if (bytes > 0) this.#refuseBeyond(bytes, 'values on the host');
    this.#held += bytes;
  }

  replace(of: object, value: HostValue): void {
    this.#release(of);
    this.#owned.set(of, this.holdValue(value));
  }

  copyOut(bytes: number, inner: object | undefined): void {
    this.demand(bytes, 'a copy of an output');
    if (!inner) return;
    this.#held += bytes;
    this.#owned.set(inner, bytes + (this.#owned.get(inner) ?? 0));
  }

  giveBack(inner: object): void {
    this.#release(inner);
  }

  #release(owner: object): void {
    this.#held -= this.#owned.get(owner) ?? 0;
    this.#owned.delete(owner);
  }

  weigh(value: unknown): number {
    return weightOf(value);
  }

  holdValue(value: unknown): number {
    const bytes = weightOf(value);
    this.hold(bytes);
    return bytes;
  }

  keep(bytes: number): void {
    this.#kept += bytes;
  }

  settle(constants: readonly TensorValue[]): void {
    this.#held = 0;
    for (const constant of constants) this.holdValue(constant);
    this.#kept = this.#held;
  }

  demandToRead(model: Uint8Array): void {
    this.demandAlone(bytesToRead(model), 'reading the model');
    this.look();
  }

  demandFor(node: HostNode, types: readonly (ValueType | null)[]): void {
    this.look();
    this.demand(needOf(node, types), 'computing it on the host');
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < STEPS_PER_LOOK) return;
    this.#steps = 0;
    this.look();
  }

  look(): void {
    if (performance.now() <= this.#end) return;
    const { value, by } = this.#time;
    throw exceeded(`it exceeds the limit of ${inWords(value)} milliseconds`, 'milliseconds', by);
  }

  #refuseBeyond(bytes: number, what: string): void {
    const taken = this.#linear + this.#held;
    if (taken + bytes > this.#memory.value) throw this.#tooMuch(bytes, what, taken);
  }

  #tooMuch(bytes: number, what: string, taken: number): SardonyxError {
    const { value, by } = this.#memory;
    const beside = taken > 0 ? ` in addition to ${inWords(taken)}` : '';
    return exceeded(
      `${what} would take ${inWords(bytes)} bytes${beside}: more than the limit of ${inWords(value)}`,
      'memoryBytes',
      by,
    );
  }
}

/** @throws SardonyxError INVALID_ARGUMENT if the limits are invalid */
export const accountOf = (limits: Limits): Account => new LimitedAccount(limits);
