import { SardonyxError } from '../../../src/index.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import type { PlainValue } from '../reference/array.js';
import { choicesOf } from './choices.js';
import { differenceOf } from './compare.js';
import { evaluateProgram, type Values } from './evaluate.js';
import { MODES, type Mode, openIn } from './modes.js';
import { noiseFrom } from './noise.js';
import { plainOfValue, valueOfPlain } from './plain-tensors.js';
import { bytesOf, type Program } from './program.js';

/** What goes wrong: another number, an error that nobody should see, or a refusal of what is right. */
export type Kind = 'wrong' | 'refused' | 'untyped';

export interface Finding {
  readonly kind: Kind;
  readonly mode: Mode;
  /** Index of the set of feeds; undefined: when the session was made. */
  readonly set: number | undefined;
  readonly message: string;
}

/** A program with its feeds, and what its values are. */
export interface Case {
  readonly program: Program;
  readonly bytes: Uint8Array;
  readonly feeds: readonly Values[];
  readonly expected: readonly Values[];
  /** Evaluations with noise for each set, made as they are wanted; null: noise made it fail. */
  readonly samples: readonly (Values | null)[][];
}

/** How many evaluations with noise are made where a result is not what is expected; the last ones change whole numbers, too. */
const SAMPLES = [4, 32, 132];
const FIRST_OF_WHOLE = 32;

/** Every mode runs them in this order in one session: another shape, and the first again. */
const orderOf = (sets: number) => [...Array(sets).keys(), 0];

export async function caseOf(program: Program, feeds: readonly Values[]): Promise<Case> {
  const expected = await Promise.all(feeds.map((set) => evaluateProgram(program, set)));
  return { program, bytes: bytesOf(program), feeds, expected, samples: feeds.map(() => []) };
}

type Feeds = Readonly<Record<string, HostValue>>;

/** What runs a model. */
export interface Runner {
  run(feeds: Feeds): Promise<Feeds>;
  release(): Promise<void>;
}

type Open = (mode: Mode, bytes: Uint8Array) => Promise<Runner>;

/** Runs the case in that mode; what is found first. */
export async function findingIn(mode: Mode, c: Case, open: Open = openIn): Promise<Finding | undefined> {
  const session = await open(mode, c.bytes).catch((error: Error) => error);
  if (session instanceof Error) return complaint(session, mode, undefined);
  try {
    for (const set of orderOf(c.feeds.length)) {
      const results = await session.run(feedsOf(c, set)).catch((error: Error) => error);
      if (results instanceof Error) return complaint(results, mode, set);
      const found = await differing(c, set, results);
      if (found) return { kind: 'wrong', mode, set, message: found };
    }
    return undefined;
  } finally {
    await session.release();
  }
}

function complaint(error: Error, mode: Mode, set: number | undefined): Finding {
  const isTyped = error instanceof SardonyxError && error.code !== 'INTERNAL';
  const stack = (error.cause as Error | undefined)?.stack ?? error.stack;
  return {
    kind: isTyped ? 'refused' : 'untyped',
    mode,
    set,
    message: isTyped ? `${error.code}: ${error.message}` : `${stack}`,
  };
}

function feedsOf({ program, feeds }: Case, set: number): Feeds {
  const wanted = program.inputs.map(({ name }) => name);
  return Object.fromEntries(wanted.map((name) => [name, valueOfPlain(feeds[set]?.get(name) as PlainValue)]));
}

/** The first output that is not what is expected, nor what rounding could make of it. */
async function differing(c: Case, set: number, results: Feeds): Promise<string | undefined> {
  const { outputs } = c.program;
  const actual = new Map(outputs.map((name) => [name, plainOfValue(results[name] as HostValue)]));
  const samples: Values[] = [];
  const look = () =>
    outputs.flatMap((name) => {
      const others = samples.map((sample) => sample.get(name) as PlainValue);
      const found = differenceOf(actual.get(name) as PlainValue, c.expected[set]?.get(name) as PlainValue, others);
      return found ? [`${name}${found}`] : [];
    })[0];
  let found = look();
  for (const count of SAMPLES) {
    if (!found) return undefined;
    while (samples.length < count) {
      const sample = await sampleOf(c, set, samples.length);
      // What fails under noise was determined by nothing but rounding.
      if (!sample) return undefined;
      samples.push(sample);
    }
    found = look();
  }
  return found;
}

async function sampleOf(c: Case, set: number, i: number): Promise<Values | null> {
  const made = c.samples[set] as (Values | null)[];
  const noise = () => noiseFrom(choicesOf(i), i >= FIRST_OF_WHOLE);
  if (made.length === i) made.push(await evaluateProgram(c.program, c.feeds[set] as Values, noise()).catch(() => null));
  return made[i] as Values | null;
}

/** The first finding of any mode. */
export async function findingOf(c: Case, modes: readonly Mode[] = MODES): Promise<Finding | undefined> {
  for (const mode of modes) {
    const found = await findingIn(mode, c);
    if (found) return found;
  }
  return undefined;
}
