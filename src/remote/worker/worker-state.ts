import { transfer } from 'comlink';
import { isArray, packArray } from '../../../workers/pack.js';
import type { Given, StateCall, StateCalls } from '../../../workers/session-states.js';
import type { SessionHost } from '../../../workers/session-worker.js';
import { onForgotten, remembered } from '../../base/forgotten.js';
import { ofAnother } from '../../session/state/of-another.js';
import type { StateOptions } from '../../session/state/options.js';
import type { SessionState } from '../../session/state/state.js';
import type { Connection } from './connection.js';

type Called = 'truncate' | 'save' | 'load' | 'release';

/** A state's interface from another thread: what is done to it is a promise. */
type Remotely<State> = Pick<State, keyof State & 'length'> & {
  readonly [K in keyof State & Called]: State[K] extends (...given: infer G) => infer R
    ? (...given: G) => Promise<R>
    : never;
};

/** State that a model in a worker keeps between runs. */
export class WorkerState implements Remotely<SessionState> {
  #length: number;
  readonly #number: number;
  readonly #connection: Connection<SessionHost>;

  private constructor(connection: Connection<SessionHost>, number: number, length: number) {
    this.#connection = connection;
    this.#number = number;
    this.#length = length;
    onForgotten(this, release, connection, number);
  }

  /** @internal */
  static async open(connection: Connection<SessionHost>, options: StateOptions | undefined): Promise<WorkerState> {
    return new WorkerState(connection, await connection.call((host) => host.createState(options)), 0);
  }

  /** Rows of the caches, that is tokens, by what has been heard of the worker last. */
  get length(): number {
    return this.#length;
  }

  /**
   * Forgets all rows from `rows` on.
   * @throws SardonyxError INVALID_ARGUMENT beyond `length`
   */
  async truncate(rows: number): Promise<void> {
    this.#length = await this.#ask('truncate', rows);
  }

  /** A state that continues from here on its own. */
  async clone(): Promise<WorkerState> {
    const number = await this.#ask('clone');
    return new WorkerState(this.#connection, number, this.#length);
  }

  /** The state as a safetensors file. */
  save(): Promise<Uint8Array> {
    return this.#ask('save');
  }

  /**
   * Replaces the state by a saved one.
   * @throws SardonyxError INVALID_VALUE where the file is not a state of this model
   */
  async load(file: Uint8Array): Promise<void> {
    const buffers = new Set<Transferable>();
    const copy = isArray(file) ? packArray(file, buffers, 'copy') : file;
    this.#length = await this.#ask('load', transfer(copy, [...buffers]));
  }

  /** Gives the state's memory back. */
  async release(): Promise<void> {
    remembered(this);
    this.#length = 0;
    if (!this.#connection.hasEnded) await this.#ask('release');
  }

  /** Itself, where it is of this session. @internal */
  of(owner: object): this {
    if (owner !== this.#connection) throw ofAnother();
    return this;
  }

  /** Has a run begun that goes on from here, and hears how many rows there are after it. @internal */
  async run<Answer>(owner: object, begin: (number: number) => PromiseLike<readonly [Answer, number]>): Promise<Answer> {
    const [answer, length] = await begin(this.of(owner).#number);
    this.#length = length;
    return answer;
  }

  #ask<K extends StateCall>(name: K, ...given: Given<K>): Promise<ReturnType<StateCalls[K]>> {
    return ask(this.#connection, name, this.#number, ...given);
  }
}

const release = (connection: Connection<SessionHost>, number: number) =>
  ask(connection, 'release', number).catch(() => {});

const ask = <K extends StateCall>(
  connection: Connection<SessionHost>,
  name: K,
  number: number,
  ...given: Given<K>
): Promise<ReturnType<StateCalls[K]>> =>
  connection.call((host) => host.callState(name, number, given) as Promise<ReturnType<StateCalls[K]>>);
