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
}

/** Evaluations with noise that are drawn where a result is not what is expected, in the end with whole numbers changed too. */
const SAMPLES = [
  { count: 4, alsoWhole: false },
  { count: 28, alsoWhole: false },
  { count: 100, alsoWhole: true },
] as const;

/** Every mode runs them in this order in one session: another shape, and the first again. */
const orderOf = (sets: number) => [...Array(sets).keys(), 0];

export async function caseOf(program: Program, feeds: readonly Values[]): Promise<Case> {
  const expected = await Promise.all(feeds.map((set) => evaluateProgram(program, set)));
  return { program, bytes: bytesOf(program), feeds, expected };
}

/** Runs the case in that mode; what is found first. */
export async function findingIn(mode: Mode, c: Case): Promise<Finding | undefined> {
  const session = await openIn(mode, c.bytes).catch((error: Error) => error);
  if (session instanceof Error) return complaint(session, mode, undefined);
  try {
    for (const set of orderOf(c.feeds.length)) {
      const results = await session.run(feedsOf(c, set)).catch((error: Error) => error);
      if (results instanceof Error) return complaint(results, mode, set);
      const found = await differing(c, set, results as Readonly<Record<string, HostValue>>);
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

function feedsOf({ program, feeds }: Case, set: number): Record<string, HostValue> {
  const wanted = program.inputs.map(({ name }) => name);
  return Object.fromEntries(wanted.map((name) => [name, valueOfPlain(feeds[set]?.get(name) as PlainValue)]));
}

/** The first output that is not what is expected, nor what rounding could make of it. */
async function differing(
  c: Case,
  set: number,
  results: Readonly<Record<string, HostValue>>,
): Promise<string | undefined> {
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
  for (const { count, alsoWhole } of SAMPLES) {
    if (!found) return undefined;
    for (let i = 0; i < count; i++) {
      const noise = noiseFrom(choicesOf(1000 * samples.length + i), alsoWhole);
      const sample = await evaluateProgram(c.program, c.feeds[set] as Values, noise).catch(() => undefined);
      // What fails under noise was determined by nothing but rounding.
      if (!sample) return undefined;
      samples.push(sample);
    }
    found = look();
  }
  return found;
}

/** The first finding of any mode. */
export async function findingOf(c: Case, modes: readonly Mode[] = MODES): Promise<Finding | undefined> {
  for (const mode of modes) {
    const found = await findingIn(mode, c);
    if (found) return found;
  }
  return undefined;
}
