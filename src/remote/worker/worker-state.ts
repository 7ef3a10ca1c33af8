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

/** A state's interface from another thread: methods return promises. */
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

  /** Rows of the caches, that is tokens, after the last completed call. */
  get length(): number {
    return this.#length;
  }

  /**
   * Drops all rows from `rows` on.
   * @throws SardonyxError INVALID_ARGUMENT beyond `length`
   */
  async truncate(rows: number): Promise<void> {
    this.#length = await this.#ask('truncate', rows);
  }

  /** A copy of the state that continues independently. */
  async clone(): Promise<WorkerState> {
    const number = await this.#ask('clone');
    return new WorkerState(this.#connection, number, this.#length);
  }

  /** Saves the state as a safetensors file. */
  save(): Promise<Uint8Array> {
    return this.#ask('save');
  }

  /**
   * Replaces the state by a saved one.
   * @throws SardonyxError INVALID_VALUE if the file is not a state of this model
   */
  async load(file: Uint8Array): Promise<void> {
    const buffers = new Set<Transferable>();
    const copy = isArray(file) ? packArray(file, buffers, 'copy') : file;
    this.#length = await this.#ask('load', transfer(copy, [...buffers]));
  }

  /** Frees the state's memory. */
  async release(): Promise<void> {
    remembered(this);
    this.#length = 0;
    if (!this.#connection.hasEnded) await this.#ask('release');
  }

  /** Returns the state if it belongs to this session. @internal */
  of(owner: object): this {
    if (owner !== this.#connection) throw ofAnother();
    return this;
  }

  /** Starts a run from this state, and updates the number of rows after it. @internal */
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
