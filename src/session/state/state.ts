import { SardonyxError } from '../../base/errors.js';
import { isGiven } from '../../base/given.js';
import { shown } from '../../base/shown.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { formatType } from '../../graph/types.js';
import { emptyData } from '../../tensor/empty-data.js';
import { GrowingTensor } from '../../tensor/growing-tensor.js';
import { LazyTensor } from '../../tensor/lazy-tensor.js';
import { aboutAxis } from '../../tensor/rows.js';
import type { StoredType } from '../../tensor/stored-rows.js';
import type { Tensor } from '../../tensor/tensor.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import type { Feeds } from '../feeds.js';
import type { Fetches, Results } from '../fetches.js';
import type { Capture } from '../run-options.js';
import { growthAxis } from './growth-axis.js';
import { checkedType, copyOf, emptyTensor, storedOf, takenUp, unkept, unread } from './kept.js';
import { ofAnother } from './of-another.js';
import type { StateOptions } from './options.js';
import { type Pair, pairsOf } from './pairs.js';
import { readSafetensors, writeSafetensors } from './safetensors.js';

/** The session that owns a state. */
export interface Stateful {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  /** Sets the initial number of rows of KV caches. */
  reserve(rows: number): void;
}

type Run = (feeds: Feeds, fetches: Fetches | undefined) => Results | Promise<Results>;

/**
 * State that a model keeps between runs: KV caches, which grow in place, and states of fixed size. `run(feeds, { state })` feeds it and
 * keeps the new values.
 */
export class SessionState {
  readonly #owner: Stateful;
  readonly #pairs: readonly Pair[];
  readonly #type: StoredType | undefined;
  /** Names of the outputs that are kept. */
  readonly #outputs: readonly string[];
  readonly #fed: Record<string, HostValue | undefined> = Object.create(null);
  readonly #targets: Record<string, Tensor | null> = Object.create(null);
  #tensors = new Map<string, TensorValue>();
  /** Inputs that runs leave unchanged, such as those from an encoder; they do not grow with tokens. */
  #lasting = new Set<string>();
  /** Whether another state or the caller has tensors in the same memory. */
  #isShared = false;
  #isReleased = false;
  #isRunning = false;
  #turn: Promise<unknown> | null = null;

  /** @throws SardonyxError INVALID_ARGUMENT if no inputs and outputs form pairs */
  constructor(owner: Stateful, options: StateOptions = {}) {
    this.#owner = owner;
    this.#type = checkedType(options.type);
    this.#pairs = pairsOf(owner, options.pairs).map(([input, output]) => {
      const type = sizedType(input);
      return { input: input.name, output: output.name, type, stored: storedOf(type, this.#type) };
    });
    this.#outputs = this.#pairs.map(({ output }) => output);
    if (options.capacity !== undefined) owner.reserve(checkedRows(options.capacity, 'capacity'));
  }

  /** Rows of the caches: the number of tokens so far. */
  get length(): number {
    const { tensor, axis } = this.#growing().next().value ?? {};
    return tensor ? (tensor.dims[axis as number] as number) : 0;
  }

  /**
   * Drops all rows from `rows` on; the next run continues there.
   * @throws SardonyxError INVALID_ARGUMENT beyond `length`, and for models whose states do not grow by rows
   */
  truncate(rows: number): void {
    this.#check();
    checkedRows(rows, 'a number of rows');
    if (rows > 0 && rows === this.length) return;
    const fixed = this.#pairs.find(({ type }) => growthAxis(type) === undefined);
    if (fixed && rows > 0)
      throw new SardonyxError(
        'INVALID_ARGUMENT',
        `"${fixed.input}" does not grow by rows: only truncate(0) is possible, not truncate(${rows})`,
      );
    if (rows > this.length)
      throw new SardonyxError('INVALID_ARGUMENT', `cannot keep ${rows} rows: there are ${this.length}`);
    if (rows === 0) this.#drop();
    const { length } = this;
    for (const { name, tensor, axis } of this.#growing())
      if (tensor.dims[axis] === length && !this.#lasting.has(name))
        this.#tensors.set(name, firstRows(tensor, axis, rows, !this.#isShared));
  }

  /** A copy of the state that continues independently; rows are copied only when one of the two overwrites them. */
  clone(): SessionState {
    this.#check();
    const twin = new SessionState(this.#owner, {
      pairs: Object.fromEntries(this.#pairs.map((p) => [p.input, p.output])),
      ...(this.#type && { type: this.#type }),
    });
    twin.#tensors = new Map(this.#tensors);
    twin.#lasting = new Set(this.#lasting);
    twin.#isShared = true;
    this.#isShared = true;
    return twin;
  }

  /** Saves the state as a safetensors file. */
  save(): Uint8Array {
    this.#check();
    const copies = [...this.#tensors].map(([name, tensor]): [string, TensorValue] => [name, copyOf(tensor)]);
    return writeSafetensors(new Map(copies));
  }

  /** Loads a file of `save` for the same model. */
  load(file: Uint8Array): void {
    this.#check();
    const tensors = readSafetensors(file);
    const taken = this.#pairs.map((pair): [string, TensorValue] => [
      pair.input,
      takenUp(pair, tensors.get(pair.input)),
    ]);
    this.#drop();
    this.#tensors = new Map(taken);
  }

  /** Frees the state's memory. */
  release(): void {
    this.#drop();
    this.#isReleased = true;
  }

  /** Whether the next run continues from this tensor. @internal */
  keeps(tensor: TensorValue): boolean {
    return [...this.#tensors.values()].includes(tensor);
  }

  /** Returns the state if it belongs to this session. @internal */
  of(owner: object): this {
    if (owner !== this.#owner) throw ofAnother();
    return this;
  }

  /** Runs after earlier runs, on the state that they leave. */
  run(
    owner: Stateful,
    feeds: Feeds,
    fetches: Fetches | undefined,
    capture: Capture | undefined,
    run: Run,
  ): Promise<Results> {
    this.of(owner);
    const before = this.#turn;
    const now = () => this.#runNow(feeds, fetches, capture, run);
    const turn = (before ? before.then(noop, noop) : Promise.resolve()).then(now);
    this.#turn = turn;
    return turn;
  }

  async #runNow(feeds: Feeds, fetches: Fetches | undefined, capture: Capture | undefined, run: Run): Promise<Results> {
    this.#check();
    if (this.#tensors.size === 0) this.#begin(feeds);
    const results = await this.#running(() => run(this.#allFeeds(feeds), this.#allFetches(fetches)));
    this.#check();
    const isAsked = (name: string) => isIn(fetches, name) || isIn(capture, name);
    for (const pair of this.#pairs) {
      this.#keep(pair, results[pair.output] as TensorValue);
      if (isAsked(pair.output)) this.#isShared = true;
    }
    const asked = Object.entries(results).filter(([name]) => !this.#outputs.includes(name) || isAsked(name));
    return Object.fromEntries(asked) as Results;
  }

  async #running<T>(work: () => T | Promise<T>): Promise<T> {
    this.#isRunning = true;
    try {
      return await work();
    } finally {
      this.#isRunning = false;
      // Clears the feeds, because a tensor keeps the memory of its cache alive.
      for (const { input } of this.#pairs) this.#fed[input] = undefined;
    }
  }

  /** Keeps an output. An output without rows, as merged decoders return for unchanged states, keeps the previous one. */
  #keep({ input, type, stored }: Pair, present: TensorValue): void {
    const before = this.#tensors.get(input) as TensorValue;
    if (stored !== type.element && !(present instanceof GrowingTensor && present.stored === stored))
      throw unkept(input, stored);
    if (elementCount(present.dims) > 0 || elementCount(before.dims) === 0) this.#tensors.set(input, present);
    else this.#lasting.add(input);
  }

  /** The caller's feeds and the kept tensors, in an object that is reused. */
  #allFeeds(feeds: Feeds): Feeds {
    const fed = this.#fed;
    for (const name in fed) if (feeds?.[name] === undefined && !this.#tensors.has(name)) delete fed[name];
    for (const name in feeds) fed[name] = feeds[name];
    for (const { input } of this.#pairs) fed[input] = unread(this.#tensors.get(input) as TensorValue);
    return fed as Feeds;
  }

  #allFetches(fetches: Fetches | undefined): Fetches | undefined {
    if (fetches === undefined) return undefined;
    if (Array.isArray(fetches)) return [...fetches, ...this.#outputs];
    const all = this.#targets;
    for (const name in all) if (!isGiven(fetches, name) && !this.#outputs.includes(name)) delete all[name];
    for (const name of this.#outputs) all[name] = null;
    return Object.assign(all, fetches);
  }

  /** Initializes caches without rows, and other states with zeros. Sizes with the same symbol as in the feeds equal theirs. */
  #begin(feeds: Feeds): void {
    const sizes = new Map<Size, number>();
    for (const { name, type } of this.#owner.inputs) {
      const feed = feeds[name];
      if (type?.kind === 'tensor' && isTensorValue(feed))
        for (const [axis, dim] of (type.dims ?? []).entries()) sizes.set(dim, feed.dims[axis] as number);
    }
    for (const { input, type, stored } of this.#pairs) {
      const growth = growthAxis(type);
      const dims = type.dims.map((dim, axis) =>
        typeof dim === 'number' ? dim : axis === growth ? 0 : (sizes.get(dim) ?? 0),
      );
      this.#tensors.set(input, emptyTensor(type.element, dims, stored));
    }
  }

  *#growing() {
    for (const { input: name, type } of this.#pairs) {
      const tensor = this.#tensors.get(name);
      const axis = growthAxis(type);
      if (tensor && axis !== undefined) yield { name, tensor, axis };
    }
  }

  #drop(): void {
    // The garbage collector frees memory that a run still uses.
    if (!this.#isShared && !this.#isRunning)
      for (const tensor of this.#tensors.values())
        if (tensor instanceof GrowingTensor && LazyTensor.is(tensor)) tensor.letGo();
    this.#tensors.clear();
    this.#lasting.clear();
    this.#isShared = false;
  }

  #check(): void {
    if (this.#isReleased) throw new SardonyxError('RELEASED', 'the state has been released; create a new one');
  }
}

const noop = () => {};

const isIn = (asked: Fetches | Capture | undefined, name: string): boolean =>
  asked === 'all' || (asked !== undefined && (Array.isArray(asked) ? asked.includes(name) : isGiven(asked, name)));

function sizedType({ name, type }: Value): Pair['type'] {
  if (type?.kind === 'tensor' && type.dims) return type as Pair['type'];
  throw new SardonyxError('INVALID_ARGUMENT', `a state needs tensors of known rank, not ${formatType(type)}`, {
    value: name,
  });
}

/** The first rows along an axis; in the same memory if possible, else copied. */
function firstRows(tensor: TensorValue, axis: number, rows: number, isSole: boolean): TensorValue {
  const own = unread(tensor);
  const { type, dims } = own;
  if (own instanceof GrowingTensor && LazyTensor.is(own) && axis === dims.length - 2) return own.first(rows, isSole);
  const { data } = own;
  const { outer, length, inner } = aboutAxis(dims, axis);
  const kept = emptyData(type, dims.with(axis, rows)) as Uint8Array;
  for (let i = 0; i < outer; i++)
    kept.set(
      (data as unknown as Uint8Array).subarray(i * length * inner, (i * length + rows) * inner),
      i * rows * inner,
    );
  return { type, dims: dims.with(axis, rows), data: kept } as unknown as TensorValue;
}

function checkedRows(rows: number, what: string): number {
  if (Number.isSafeInteger(rows) && rows >= 0) return rows;
  throw new SardonyxError('INVALID_ARGUMENT', `${what} must be a non-negative integer, not ${shown(rows)}`);
}
