import { optionsOf } from '../base/arguments.js';
import { asyncDispose } from '../base/disposal.js';
import { SardonyxError } from '../base/errors.js';
import {
  countOf,
  numbersIn,
  parametersOf,
  pictureOf,
  scalarOf,
  secondsOf,
  stepOf,
  stringsOf,
  tagOf,
} from './arguments.js';
import { concat, type Field } from './fields.js';
import type { CollectedLog, Log, LogOptions, PointOptions } from './log.js';
import { collected, type LogTarget, type Outlet, outletOf } from './outlet.js';
import { encodePng } from './png.js';
import { queueTo } from './queue.js';
import { event, version } from './record.js';
import { bucketsOf, histogram } from './summaries/histogram.js';
import { end, experiment, start } from './summaries/hparams.js';
import { image } from './summaries/image.js';
import { decide, prCurve } from './summaries/pr-curve.js';
import { scalar } from './summaries/scalar.js';
import { texts } from './summaries/text.js';

/**
 * Creates a log in TensorBoard's event-file format. Without a target, the log is kept in memory.
 * @throws SardonyxError INVALID_ARGUMENT if the target is invalid or cannot be written, UNSUPPORTED_PLATFORM if a path
 * is given on a platform without files
 */
export function createLog(target?: undefined, options?: LogOptions): CollectedLog;
export function createLog(target: LogTarget, options?: LogOptions): Log;
export function createLog(target?: LogTarget, options?: LogOptions): Log {
  const clock = clockOf(options);
  if (target !== undefined) return logTo(outletOf(target), clock);
  const outlet = collected();
  return Object.assign(logTo(outlet, clock), { bytes: () => concat(outlet.parts) });
}

function clockOf(options?: LogOptions): () => number {
  const { clock = () => Date.now() / 1000 } = optionsOf(options, 'log options', '{ clock: () => 0 }');
  if (typeof clock === 'function') return clock;
  throw new SardonyxError('INVALID_ARGUMENT', 'clock: expected a function that returns seconds since 1970');
}

function logTo(outlet: Outlet, clock: () => number): Log {
  const queue = queueTo(outlet);
  const timeOf = (options?: PointOptions) => secondsOf(pointOptionsOf(options).wallTime ?? clock());
  queue.put(version(timeOf()));
  const post = (step: number, wallTime: number, ...values: Field[]) => queue.put(event(wallTime, stepOf(step), values));
  let hasParameters = false;

  const finish = () => {
    hasParameters = false;
    const wallTime = timeOf();
    post(0, wallTime, end(wallTime));
  };
  const close = async () => {
    if (hasParameters) finish();
    await queue.close();
  };
  return {
    scalar(tag, value, step, options) {
      post(step, timeOf(options), scalar(tagOf(tag), scalarOf(value)));
    },
    histogram(tag, values, step, options) {
      const numbers = numbersIn(values, 'histogram values');
      const buckets = bucketsOf(numbers, countOf(options?.buckets ?? 30, 'buckets'));
      post(step, timeOf(options), histogram(tagOf(tag), numbers.length, buckets));
    },
    image(tag, picture, step, options) {
      const [name, at, wallTime, given] = [tagOf(tag), stepOf(step), timeOf(options), pictureOf(picture)];
      if (given instanceof Uint8Array) return post(at, wallTime, image(name, given));
      queue.put(encodePng(given).then((png) => event(wallTime, at, [image(name, png)])));
    },
    text(tag, text, step, options) {
      post(step, timeOf(options), texts(tagOf(tag), stringsOf(text)));
    },
    prCurve(tag, labels, predictions, step, options) {
      const [facts, guesses] = [numbersIn(labels, 'labels'), numbersIn(predictions, 'predictions')];
      if (facts.length !== guesses.length) throw unequal(facts.length, guesses.length);
      const decisions = decide(facts, guesses, countOf(options?.thresholds ?? 201, 'thresholds'));
      post(step, timeOf(options), prCurve(tagOf(tag), decisions));
    },
    hparams(values, options) {
      const [parameters, wallTime] = [parametersOf(values), timeOf(options)];
      const metrics = (options?.metrics ?? []).map(tagOf);
      post(0, wallTime, experiment(parameters, metrics), start(parameters, wallTime));
      hasParameters = true;
    },
    flush: queue.flush,
    close,
    [asyncDispose]: close,
  };
}

const pointOptionsOf = (options?: PointOptions) => optionsOf(options, 'options', '{ wallTime: 1.7e9 }');

const unequal = (labels: number, predictions: number) =>
  new SardonyxError(
    'INVALID_SHAPE',
    `expected one label for each prediction, got ${labels} labels and ${predictions} predictions`,
  );
