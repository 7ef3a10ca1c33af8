import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../model/document/model.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { compare } from '../difference.js';
import { fromExternalData } from '../external-data.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';
import { saveModel } from '../save-model.js';
import { blameOf } from './growth.js';
import { type Float16Options, type Float16Report, settingsOf } from './options.js';
import { shortList } from './search.js';
import type { Step } from './sites.js';
import { converted, type Float16Model, type Opened, objectionBy, open } from './to-float16.js';

/** The outputs of a run, by name. */
export type Outputs = Readonly<Record<string, HostValue>>;

/** The accepted difference from the outputs of the float32 model, or a function that decides this. */
export type Tolerance =
  | {
      /** The largest ‖actual − expected‖₂ / ‖expected‖₂ of an output. */
      readonly relative?: number;
      /** The largest |actual − expected| of an element. */
      readonly absolute?: number;
    }
  | ((actual: Outputs, expected: Outputs) => boolean | Promise<boolean>);

/** Options of `mixedPrecision`. */
export interface MixedPrecisionOptions extends Omit<Float16Options, 'keepIO' | 'feeds'> {
  /**
   * The accepted difference of the outputs. Default: a relative error of 1 % for each output. Integers and other exact
   * values must be equal.
   */
  readonly tolerance?: Tolerance;
  /** The maximum number of models to try, plus one if none was within the tolerance. Default: 32. */
  readonly trials?: number;
}

/** The result of `mixedPrecision`. */
export interface MixedPrecision extends Float16Model {
  /**
   * The report of the conversion, the number of models tried (`trials`), and the largest relative L2 error of an output
   * (`error`).
   */
  readonly report: Float16Report & {
    /** The number of models tried. */
    readonly trials: number;
    /** The largest relative L2 error of an output. */
    readonly error: number;
  };
}

/** The default tolerance, as in similar tools. */
const RELATIVE = 1e-2;
const TRIALS = 32;

/**
 * Converts as much of a model to float16 or bfloat16 as possible while its outputs stay within a tolerance for all
 * `feeds`. Inputs and outputs keep their types. The nodes where errors grow most stay in float32. The resulting model
 * has been run and is within the tolerance.
 * @throws SardonyxError INVALID_ARGUMENT if an option is out of range or the float32 model itself does not meet the
 * tolerance, ABORTED
 */
export async function mixedPrecision(
  model: Model,
  feeds: Samples,
  options: MixedPrecisionOptions = {},
): Promise<MixedPrecision> {
  const settings = settingsOf({ ...options, keepIO: true, feeds });
  const opened = await open(model, settings);
  if (!opened) throw new SardonyxError('INVALID_MODEL', 'the model has no graph');
  const court = await courtOf(opened, feeds, options);
  const objection = await objectionBy(opened);
  const attempt = (held: ReadonlyMap<Step, string>) => converted(opened, (step) => objection(step) ?? held.get(step));
  const judge = async (held: ReadonlyMap<Step, string>) => court.judge(await attempt(held));
  if (await judge(new Map())) return court.verdict();
  const ranked = await rankedBy(opened, (await attempt(new Map())).model, feeds);
  const heldOf = (steps: readonly Step[]) => new Map(steps.map((step) => [step, ranked.get(step) as string]));
  await shortList([...ranked.keys()], (steps) => judge(heldOf(steps)), court.isOver);
  if (!court.hasPassed()) await judge(ranked);
  return court.verdict();
}

/** All nodes with reasons to keep them, those that add the largest errors first. */
async function rankedBy({ model, site, settings }: Opened, half: Model, feeds: Samples): Promise<Map<Step, string>> {
  const blame = [...(await blameOf(model, half, site, feeds, settings))].sort(([, a], [, b]) => b - a);
  return new Map(
    blame.map(([step, growth]) => [
      step,
      `needed for the tolerance: the error grows by ${growth.toPrecision(2)} at this node`,
    ]),
  );
}

/** Tries converted models, and keeps the last that is within the tolerance. */
async function courtOf({ model }: Opened, feeds: Samples, options: MixedPrecisionOptions) {
  const { tolerance = { relative: RELATIVE }, trials: most = TRIALS, signal, onProgress } = options;
  const expected: Outputs[] = [];
  for await (const outputs of runsOf(model, feeds)) expected.push(outputs);
  for (const outputs of expected) if (!(await within(tolerance, outputs, outputs))) throw unreachable();
  let trials = 0;
  let best: MixedPrecision | undefined;
  async function judge({ model: half, report }: Float16Model): Promise<boolean> {
    if (signal?.aborted) throw aborted(signal, 'the search for mixed precision');
    onProgress?.({ stage: 'trials', done: trials, total: most, node: `${report.kept.length} nodes kept` });
    trials++;
    let [sample, error] = [0, 0];
    for await (const outputs of runsOf(half, feeds)) {
      const wanted = expected[sample++] as Outputs;
      if (!(await within(tolerance, outputs, wanted))) return false;
      error = Math.max(error, ...Object.keys(wanted).map((name) => errorOf(outputs, wanted, name)));
    }
    best = { model: half, report: { ...report, trials, error } };
    return true;
  }
  const verdict = (): MixedPrecision => {
    if (!best) throw unreachable();
    return { ...best, report: { ...best.report, trials } };
  };
  return { judge, verdict, isOver: () => trials >= most, hasPassed: () => best !== undefined };
}

const errorOf = (actual: Outputs, expected: Outputs, name: string): number =>
  compare(actual[name] ?? null, expected[name] ?? null).relativeL2;

async function within(tolerance: Tolerance, actual: Outputs, expected: Outputs): Promise<boolean> {
  if (typeof tolerance === 'function') return tolerance(actual, expected);
  const { relative = Number.POSITIVE_INFINITY, absolute = Number.POSITIVE_INFINITY } = tolerance;
  return Object.keys(expected).every((name) => {
    const { mismatch, relativeL2, maxAbs } = compare(actual[name] ?? null, expected[name] ?? null);
    return mismatch === undefined && relativeL2 <= relative && maxAbs <= absolute;
  });
}

async function* runsOf(model: Model, feeds: Samples): AsyncGenerator<Outputs> {
  const { InferenceSession } = await import('../../session/inference-session.js');
  const bytes = await saveModel(await fromExternalData(model));
  const session = await InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled' });
  try {
    for await (const sample of feeds) yield await session.run(sample);
  } finally {
    await session.release();
  }
}

const unreachable = () =>
  new SardonyxError('INVALID_ARGUMENT', 'tolerance: the float32 model itself does not meet the tolerance');
