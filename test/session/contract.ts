import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InferenceSession, SessionOptions } from '../../src/index.js';
import { sampled } from '../tier.js';
import { AROUND_RUNS } from './contract/around-runs.js';
import { REFUSALS } from './contract/refusals.js';
import { VALUES } from './contract/values.js';

type Everywhere = 'inputNames' | 'outputNames' | 'inputMetadata' | 'outputMetadata' | 'run' | 'release';
type Somewhere = 'warmUp' | 'profile' | 'optimizedAway' | 'startProfiling' | 'endProfiling';

/** A session of any kind. What is at hand in a plain one may be a promise elsewhere, so that every check awaits it. */
export type Session = Pick<InferenceSession, Everywhere> & {
  readonly [K in Somewhere]: InferenceSession[K] extends (...given: infer G) => infer R
    ? (...given: G) => R | Promise<R>
    : InferenceSession[K] | Promise<InferenceSession[K]>;
} & {
  createState(options?: object): State | Promise<State>;
  [Symbol.asyncDispose](): Promise<void>;
};

export interface State {
  readonly length: number;
  truncate(rows: number): unknown;
  clone(): State | Promise<State>;
  save(): Uint8Array | Promise<Uint8Array>;
  load(file: Uint8Array): unknown;
  release(): unknown;
}

export type Create = (model: Uint8Array, options?: SessionOptions) => Promise<Session>;

export interface Sessions {
  /** A session of one's own. */
  readonly create: Create;
  /** The session of that model, which all checks share, so that each runs after all that others did to it. */
  readonly open: (model: () => Uint8Array) => Promise<Session>;
}

export type Check = (sessions: Sessions) => Promise<void>;

export const CHECKS: Readonly<Record<string, Check>> = { ...VALUES, ...REFUSALS, ...AROUND_RUNS };

export interface Implementation {
  readonly name: string;
  create(model: Uint8Array, options?: SessionOptions): Promise<unknown>;
  /** The checks that do not hold, and what documents that; each is run all the same, and must fail. */
  readonly skip?: Readonly<Record<string, string>>;
  readonly before?: () => void;
  /** The share of the checks that each tier makes; all where it is left out. */
  readonly shares?: { readonly quick: number; readonly ci: number };
}

/** Registers a suite of everything that any session must hold. */
export function sessionContract({ name, create, skip = {}, before, shares }: Implementation): void {
  const whole = suite(`${name}: the contract of sessions`);
  const test = shares ? sampled(whole, shares) : whole;
  const made: Session[] = [];
  const shared = new Map<() => Uint8Array, Promise<Session>>();
  const sessions: Sessions = {
    async create(model, options) {
      const session = (await create(model, options)) as Session;
      made.push(session);
      return session;
    },
    open(model) {
      const session = shared.get(model) ?? sessions.create(model());
      shared.set(model, session);
      return session;
    },
  };
  if (before) test.before(before);
  test.after(async () => {
    for (const session of made) await session.release();
  });
  for (const [title, check] of Object.entries(CHECKS)) {
    const reason = skip[title];
    if (reason) test(`does not hold: ${title} (${reason})`, () => mustFail(check(sessions)));
    else test(title, () => check(sessions));
  }
  test('what is skipped is in the contract', () => {
    assert.equal(
      Object.keys(skip).filter((title) => !(title in CHECKS)),
      [],
    );
  });
  test.run();
}

async function mustFail(check: Promise<void>): Promise<void> {
  const failed = await check.then(
    () => false,
    () => true,
  );
  assert.ok(failed, 'it holds: take it off the list');
}
