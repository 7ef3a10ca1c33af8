import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { given } from '../../base/given.js';
import type { Feeds } from '../../session/feeds.js';
import type { Sizes } from '../generated-feeds.js';
import { quoted } from '../surgery/refuse.js';
import { comparedIn, type Finding, findingsOf, type Values } from './findings.js';
import { feedsFor, madeIn, makersIn, modelIn, outputsOf, type Side, valuesOf } from './side.js';

export interface CompareModelsOptions {
  /** The largest relative L2 error of a value of floats; 1e-4 if nothing else is said. All others must be equal. */
  readonly tolerance?: number | undefined;
  /** Other tolerances, by the names of values. */
  readonly tolerances?: Readonly<Record<string, number>> | undefined;
  /** Values inside the graphs that are compared, too: all that both models have under the same name, if nothing else is said. */
  readonly capture?: 'all' | readonly string[] | undefined;
  /** Sizes for open dimensions of generated feeds, by their symbols; 1 if nothing is said. */
  readonly sizes?: Sizes | undefined;
  /** Of the random numbers in generated feeds. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly stage: string }) => void) | undefined;
}

export interface Comparison {
  /** In the order of the nodes that compute them. */
  readonly values: readonly Finding[];
  /** How many are out of tolerance. */
  readonly failed: number;
  /** The first of those. */
  readonly first: Finding | undefined;
  /** Of all, the one that differs most. */
  readonly worst: Finding | undefined;
}

const TOLERANCE = 1e-4;

/**
 * Runs two models, or a model and a runtime that has one, on the same feeds, and compares all values of the same name. The
 * second is what the first is held to. Values that are captured are kept until both have run.
 * @param feeds values by input name; random ones if left out
 */
export async function compareModels(
  a: Side,
  b: Side,
  feeds?: Feeds,
  options: CompareModelsOptions = {},
): Promise<Comparison> {
  const [ours, theirs] = [modelIn(a), modelIn(b)];
  const source = ours ?? theirs;
  if (!source && !feeds)
    throw new SardonyxError('INVALID_ARGUMENT', 'two runtimes do not say what they take: give the feeds');
  const captured = ours && theirs ? capturedNames(madeIn(ours), madeIn(theirs), outputsOf(ours), options) : [];
  const said = (stage: string) => {
    if (options.signal?.aborted) throw aborted(options.signal, 'comparing');
    options.onProgress?.({ stage });
  };
  const given = feeds ?? (await feedsFor(source as NonNullable<typeof source>, options.sizes, options.seed));
  said('running the first');
  const actual = await valuesOf(a, given, captured);
  said('running the second');
  const expected = await valuesOf(b, given, captured);
  said('comparing');
  refuseNothing(actual, expected);
  const outputs = [...Object.keys(actual), ...Object.keys(expected)].filter((name) => !captured.includes(name));
  const compared = comparedIn(source ? makersIn(source) : [], outputs, captured);
  const names = compared.map(({ name }) => name);
  return summary(findingsOf(compared, actual, expected, toleranceOf(options, names)));
}

function refuseNothing(actual: Values, expected: Values): void {
  if (Object.keys(actual).some((name) => Object.hasOwn(expected, name))) return;
  const [ours, theirs] = [actual, expected].map((values) => quoted(Object.keys(values)));
  throw new SardonyxError(
    'UNKNOWN_OUTPUT',
    `no value of both has the same name: the first gives ${ours}, the second ${theirs}`,
  );
}

function capturedNames(
  ours: readonly string[],
  theirs: readonly string[],
  outputs: readonly string[],
  { capture = 'all' }: CompareModelsOptions,
): string[] {
  const both = new Set(theirs);
  const common = ours.filter((name) => both.has(name) && !outputs.includes(name));
  if (capture === 'all') return common;
  const missing = capture.filter((name) => !common.includes(name) && !outputs.includes(name));
  if (missing.length === 0) return capture.filter((name) => common.includes(name));
  throw new SardonyxError('UNKNOWN_OUTPUT', `${quoted(missing)}: not computed by the graphs of both models`);
}

function toleranceOf(
  { tolerance = TOLERANCE, tolerances = {} }: CompareModelsOptions,
  names: readonly string[],
): (name: string) => number {
  const unknown = Object.keys(tolerances).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new SardonyxError('UNKNOWN_OUTPUT', `a tolerance is given for ${quoted(unknown)}, which nobody compares`);
  for (const bound of [tolerance, ...Object.values(tolerances)])
    if (!(bound >= 0)) throw new SardonyxError('INVALID_ARGUMENT', `a tolerance is a number from 0 on, not ${bound}`);
  return (name) => given(tolerances, name) ?? tolerance;
}

function summary(values: readonly Finding[]): Comparison {
  const failed = values.filter(({ passed }) => passed === false);
  const given = values.filter(({ passed }) => passed !== null);
  const [worst] = given.toSorted((a, b) => badness(b) - badness(a));
  return { values, failed: failed.length, first: failed[0], worst };
}

/** What cannot be measured is worse than any distance. */
const badness = ({ relativeL2 }: Finding): number =>
  Number.isNaN(relativeL2) ? Number.MAX_VALUE : Math.min(relativeL2, Number.MAX_VALUE);
