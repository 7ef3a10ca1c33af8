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

export type Outputs = Readonly<Record<string, HostValue>>;

/** How far outputs may be from the model's own: ‖actual − expected‖ / ‖expected‖, and the largest |actual − expected|, of each. */
export type Tolerance =
  | { readonly relative?: number; readonly absolute?: number }
  | ((actual: Outputs, expected: Outputs) => boolean | Promise<boolean>);

export interface MixedPrecisionOptions extends Omit<Float16Options, 'keepIO' | 'feeds'> {
  /** 1 % of each output as a whole if left out. Whole numbers, and the like, are equal. */
  readonly tolerance?: Tolerance;
  /** How often a model is tried, at most, and once more where none was within the tolerance; 32 if left out. */
  readonly trials?: number;
}

export interface MixedPrecision extends Float16Model {
  readonly report: Float16Report & {
    /** How many models were tried. */
    readonly trials: number;
    /** The greatest error of any output: relative as `Tolerance` has it. */
    readonly error: number;
  };
}

/** As other tools of such kind have it. */
const RELATIVE = 1e-2;
const TRIALS = 32;

/**
 * The model with as much of it in float16, or bfloat16, as leaves its outputs within a tolerance for all of `feeds`; inputs and outputs
 * stay as they are. First to stay in float32 are nodes at which errors grow most, measured in one run beside the model; the report says
 * which and why. The result was run, and is within the tolerance.
 * @throws SardonyxError INVALID_ARGUMENT for an option that is out of its range, and for a tolerance that the model itself is not within
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

/** All nodes, those to blame most first, and what is said of them. */
async function rankedBy({ model, site, settings }: Opened, half: Model, feeds: Samples): Promise<Map<Step, string>> {
  const blame = [...(await blameOf(model, half, site, feeds, settings))].sort(([, a], [, b]) => b - a);
  return new Map(
    blame.map(([step, growth]) => [step, `for the tolerance: errors grow by ${growth.toPrecision(2)} here`]),
  );
}

/** What tries models, and keeps the last that is within the tolerance. */
async function courtOf({ model }: Opened, feeds: Samples, options: MixedPrecisionOptions) {
  const { tolerance = { relative: RELATIVE }, trials: most = TRIALS, signal, onProgress } = options;
  const expected: Outputs[] = [];
  for await (const outputs of runsOf(model, feeds)) expected.push(outputs);
  for (const outputs of expected) if (!(await within(tolerance, outputs, outputs))) throw unreachable();
  let trials = 0;
  let best: MixedPrecision | undefined;
  async function judge({ model: half, report }: Float16Model): Promise<boolean> {
    if (signal?.aborted) throw aborted(signal, 'trying models');
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
  new SardonyxError('INVALID_ARGUMENT', 'tolerance must be one that the results of the model itself are within');
