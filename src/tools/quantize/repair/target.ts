import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import { oneOf } from '../one-of.js';
import type { Watch } from '../progress.js';
import type { QuantizeStaticOptions } from '../static/options.js';
import { quantizeStatic } from '../static/quantize-static.js';
import type { Samples } from '../weights/gram-matrices.js';
import { adaRound } from './ada-round.js';
import { correctBias } from './correct-bias.js';
import { equalize } from './equalize.js';
import { byMetric, byOutputs, type Judge, type Metric } from './score.js';
import { calibrated, exactly, ranked } from './sensitivity.js';
import { smooth } from './smooth.js';
import { REPAIRS, type Repair } from './units.js';

/** The quality that a quantized model must reach. */
export type Target =
  | {
      /** The minimum signal-to-noise ratio, in decibels, of the worst output. */
      readonly sqnr: number;
    }
  | {
      /** A metric; higher is better. */
      readonly metric: Metric;
      /** The minimum of the metric. */
      readonly least: number;
    }
  | {
      /** A metric; higher is better. */
      readonly metric: Metric;
      /** The largest accepted loss of the metric, as a fraction of the float32 model's result. */
      readonly loss: number;
    };

/** Options of `quantizeRepaired`. */
export interface RepairOptions extends QuantizeStaticOptions {
  /** The repairs to apply. */
  readonly repair?: readonly Repair[];
  /** The quality to reach by leaving the most sensitive nodes in float32. */
  readonly target?: Target;
}

/** The result of `quantizeRepaired`. */
export interface Repaired {
  /** The quantized model. */
  readonly model: Model;
  /** The names of the nodes that stay in float32; empty without a target. */
  readonly excluded: readonly string[];
  /** The model's score by the target's measure; undefined without a target. */
  readonly score: number | undefined;
}

type Before = (model: Model, feeds: Samples, watch: Watch) => Promise<Model>;
type After = (model: Model, quantized: Model, feeds: Samples, watch: Watch) => Promise<Model>;

const BEFORE: Partial<Record<Repair, Before>> = { equalize: (model, _, watch) => equalize(model, watch), smooth };
const AFTER: Partial<Record<Repair, After>> = { adaround: adaRound, bias: correctBias };

/** Quantizes a model except the given nodes. */
type Make = (excluded: readonly string[]) => Promise<Model>;

/**
 * Quantizes a model like `quantizeStatic`, repairs it before and after, and leaves as few nodes as possible in float32
 * to reach a target. The most sensitive nodes are excluded first; their number is doubled until the target is reached
 * and then minimized.
 * @throws SardonyxError INVALID_ARGUMENT if the target cannot be reached or an option is invalid, ABORTED
 */
export async function quantizeRepaired(
  model: Model,
  feeds: Samples,
  { repair = [], target, ...options }: RepairOptions = {},
): Promise<Repaired> {
  for (const name of repair) oneOf('repair', name, REPAIRS);
  const isAsked = (name: Repair) => repair.includes(name);
  const watch: Watch = options;
  let floats = model;
  for (const name of REPAIRS) if (isAsked(name)) floats = (await BEFORE[name]?.(floats, feeds, watch)) ?? floats;
  const ranges = await calibrated(floats, feeds, options);
  const make: Make = async (excluded) => {
    const exclude = [...(options.exclude ?? []), ...excluded.map(exactly)];
    let made = await quantizeStatic(floats, ranges, { ...options, exclude });
    if (made === floats) return made;
    for (const name of REPAIRS) if (isAsked(name)) made = (await AFTER[name]?.(floats, made, feeds, watch)) ?? made;
    return made;
  };
  if (!target) return { model: await make([]), excluded: [], score: undefined };
  const { judge, least } = await goalOf(model, feeds, target, watch);
  return meeting(make, judge, least, async () => {
    const found = await ranked(floats, ranges, judge, options);
    return found.map(({ name }) => name);
  });
}

async function goalOf(model: Model, feeds: Samples, target: Target, watch: Watch) {
  if ('sqnr' in target) return { judge: byOutputs(model, feeds, watch), least: finite('sqnr', target.sqnr) };
  const judge = byMetric(target.metric);
  if ('least' in target) return { judge, least: finite('least', target.least) };
  const own = finite('the result of metric', await judge(model));
  return { judge, least: own - Math.abs(own) * finite('loss', target.loss) };
}

function finite(what: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new SardonyxError('INVALID_ARGUMENT', `${what}: expected a finite number, got ${value}`);
}

/** Excludes as few as possible of the most sensitive nodes so that the model reaches the target. */
async function meeting(
  make: Make,
  judge: Judge,
  least: number,
  costliest: () => Promise<readonly string[]>,
): Promise<Repaired> {
  const judged = async (excluded: readonly string[]): Promise<Repaired> => {
    const model = await make(excluded);
    return { model, excluded, score: await judge(model) };
  };
  const isMet = ({ score = Number.NaN }: Repaired) => score >= least;
  const whole = await judged([]);
  if (isMet(whole)) return whole;
  const names = await costliest();
  let [few, many] = [0, 1];
  let found = await judged(names.slice(0, many));
  for (; !isMet(found); found = await judged(names.slice(0, many))) {
    if (many >= names.length) throw unmet(found.score, least);
    [few, many] = [many, Math.min(many * 2, names.length)];
  }
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    const tried = await judged(names.slice(0, middle));
    if (isMet(tried)) [many, found] = [middle, tried];
    else few = middle;
  }
  return found;
}

const unmet = (score: number | undefined, least: number): SardonyxError => {
  const message = `cannot reach the target ${least}: even with no nodes quantized, the score is ${score}`;
  return new SardonyxError('INVALID_ARGUMENT', message);
};
