import type { Model } from '../../../model/document/model.js';
import type { InferenceSession } from '../../../session/inference-session.js';
import type { Range } from '../static/parameters.js';
import type { Samples } from '../weights/gram-matrices.js';
import { eachValue, withSession } from './captured.js';
import { entropyRange } from './entropy.js';
import { type Extremes, extremesOfAll } from './extremes.js';
import { floatValuesOf, observableIn } from './float-values.js';
import { countInto, emptyHistogram, type Histogram } from './histogram.js';
import { leastSquaresRange } from './least-squares.js';
import { type CalibrateOptions, type CalibrationSettings, calibrationSettingsOf } from './options.js';
import { percentileRange } from './percentile.js';
import type { CalibrationMethod, Ranges } from './ranges.js';

/** Chooses a range from a histogram. */
type Choose = (histogram: Histogram, whole: Range, settings: CalibrationSettings) => Range;

const CHOICES: Partial<Record<CalibrationMethod, Choose>> = {
  entropy: (histogram, whole, settings) => within(whole, entropyRange(histogram, settings)),
  percentile: (histogram, whole, settings) => within(whole, percentileRange(histogram, settings)),
  mse: leastSquaresRange,
};

/** Clamps a range to the observed values. */
function within(whole: Range, { lowest, highest }: Range): Range {
  const most = Math.min(highest, whole.highest);
  return { lowest: Math.min(Math.max(lowest, whole.lowest), most), highest: most };
}

/**
 * Runs a model on samples and returns the ranges of its values. Samples are iterated once, or twice for the methods
 * that use histograms. The values themselves are not kept.
 * @throws SardonyxError INVALID_ARGUMENT if an option is out of range or there are no samples, ABORTED
 */
export async function calibrate(model: Model, feeds: Samples, options: CalibrateOptions = {}): Promise<Ranges> {
  const settings = calibrationSettingsOf(options);
  const { method } = settings;
  const names = observableIn(model.proto, await floatValuesOf(model), options.types);
  if (names.length === 0) return { method, values: {} };
  return withSession(model, names, async (session) => {
    const { all, see } = extremesOfAll(settings);
    await eachValue(session, names, feeds, 'ranges', settings, see);
    const extremes = new Map([...all].map(([name, known]) => [name, known.extremes] as const).filter(isBounded));
    const choose = CHOICES[method];
    const found = choose
      ? chosen(await histogramsOf(session, extremes, feeds, settings), extremes, choose, settings)
      : [...extremes].map(([name, range]) => [name, ends(range, settings)] as const);
    return { method, values: Object.fromEntries(found) };
  });
}

/** Whether a range is finite. Values that were infinite have no range. */
const isBounded = ([, { lowest, highest }]: readonly [string, Range]): boolean => Number.isFinite(highest - lowest);

const sizeOf = ({ lowest, highest }: Range): number => Math.max(-lowest, highest, lowest, -highest);

function ends({ lowest, highest }: Range, { symmetric }: CalibrationSettings): Range {
  const far = sizeOf({ lowest, highest });
  return symmetric ? { lowest: -far, highest: far } : { lowest, highest };
}

async function histogramsOf(
  session: InferenceSession,
  extremes: ReadonlyMap<string, Extremes>,
  feeds: Samples,
  settings: CalibrationSettings,
): Promise<ReadonlyMap<string, Histogram>> {
  const { bins } = settings;
  const isOfSizes = settings.method === 'percentile' && settings.symmetric;
  const blank = (known: Extremes): Histogram => {
    const far = sizeOf(known);
    return emptyHistogram({ lowest: isOfSizes ? known.nearest : -far, highest: far }, bins, isOfSizes);
  };
  const histograms = new Map([...extremes].map(([name, known]) => [name, blank(known)]));
  await eachValue(session, [...histograms.keys()], feeds, 'histograms', settings, (name, numbers) =>
    countInto(histograms.get(name) as Histogram, numbers),
  );
  return histograms;
}

/** Yields the range of each value. */
function* chosen(
  histograms: ReadonlyMap<string, Histogram>,
  extremes: ReadonlyMap<string, Extremes>,
  choose: Choose,
  settings: CalibrationSettings,
): Generator<readonly [string, Range]> {
  for (const [name, histogram] of histograms) yield [name, choose(histogram, extremes.get(name) as Extremes, settings)];
}
