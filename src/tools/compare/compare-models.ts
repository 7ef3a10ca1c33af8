import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { given } from '../../base/given.js';
import type { Feeds } from '../../session/feeds.js';
import type { Sizes } from '../generated-feeds.js';
import { quoted } from '../surgery/refuse.js';
import { comparedIn, type Finding, findingsOf, type Values } from './findings.js';
import { feedsFor, madeIn, makersIn, modelIn, outputsOf, type Side, valuesOf } from './side.js';

/** Options of `compareModels`. */
export interface CompareModelsOptions {
  /**
   * The largest accepted relative L2 error of a floating-point value. Default: 1e-4. All other values must be equal.
   */
  readonly tolerance?: number | undefined;
  /** Tolerances of single values, by name. */
  readonly tolerances?: Readonly<Record<string, number>> | undefined;
  /**
   * Names of the intermediate values to compare. Default: `'all'` values that both models compute under the same name.
   */
  readonly capture?: 'all' | readonly string[] | undefined;
  /** Sizes of dynamic dimensions in generated feeds, by name. Default: 1. */
  readonly sizes?: Sizes | undefined;
  /** The seed of the random values in generated feeds. */
  readonly seed?: number | undefined;
  /** Aborts the comparison. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each stage. */
  readonly onProgress?: ((progress: { readonly stage: string }) => void) | undefined;
}

/** The result of `compareModels`. */
export interface Comparison {
  /** All compared values, in the order of the nodes that compute them. */
  readonly values: readonly Finding[];
  /** The number of values out of tolerance. */
  readonly failed: number;
  /** The first value out of tolerance. */
  readonly first: Finding | undefined;
  /** The value with the largest difference. */
  readonly worst: Finding | undefined;
}

const TOLERANCE = 1e-4;

/**
 * Runs two models, or a model and a session of another runtime, on the same feeds and compares all values with the same
 * name. The second side is the expected one. Captured values stay in memory until both have run.
 * @param feeds values by input name; generated if omitted
 * @throws SardonyxError INVALID_ARGUMENT if the feeds are missing for two sessions, UNKNOWN_OUTPUT if the sides have no
 * values in common or an option names an unknown value, ABORTED
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
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      'feeds are required to compare two sessions, as sessions do not describe their inputs',
    );
  const captured = ours && theirs ? capturedNames(madeIn(ours), madeIn(theirs), outputsOf(ours), options) : [];
  const said = (stage: string) => {
    if (options.signal?.aborted) throw aborted(options.signal, 'the comparison');
    options.onProgress?.({ stage });
  };
  const given = feeds ?? (await feedsFor(source as NonNullable<typeof source>, options.sizes, options.seed));
  said('running the first model');
  const actual = await valuesOf(a, given, captured);
  said('running the second model');
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
    `the models have no values in common: the first returns ${ours}, the second ${theirs}`,
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
  throw new SardonyxError('UNKNOWN_OUTPUT', `capture: not computed by both models: ${quoted(missing)}`);
}

function toleranceOf(
  { tolerance = TOLERANCE, tolerances = {} }: CompareModelsOptions,
  names: readonly string[],
): (name: string) => number {
  const unknown = Object.keys(tolerances).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new SardonyxError('UNKNOWN_OUTPUT', `tolerances: not among the compared values: ${quoted(unknown)}`);
  for (const bound of [tolerance, ...Object.values(tolerances)])
    if (!(bound >= 0))
      throw new SardonyxError('INVALID_ARGUMENT', `tolerance: expected a number of 0 or more, got ${bound}`);
  return (name) => given(tolerances, name) ?? tolerance;
}

function summary(values: readonly Finding[]): Comparison {
  const failed = values.filter(({ passed }) => passed === false);
  const given = values.filter(({ passed }) => passed !== null);
  const [worst] = given.toSorted((a, b) => badness(b) - badness(a));
  return { values, failed: failed.length, first: failed[0], worst };
}

/** The sort key of a finding. An undefined error ranks as the largest. */
const badness = ({ relativeL2 }: Finding): number =>
  Number.isNaN(relativeL2) ? Number.MAX_VALUE : Math.min(relativeL2, Number.MAX_VALUE);
