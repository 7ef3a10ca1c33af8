import { SardonyxError } from '../../../base/errors.js';
import { shown } from '../../../base/shown.js';
import type { Range } from '../static/parameters.js';

/** The calibration methods. */
export const CALIBRATIONS = ['minmax', 'average', 'entropy', 'percentile', 'mse'] as const;
/** A method that chooses the range of a value. */
export type CalibrationMethod = (typeof CALIBRATIONS)[number];

/** The ranges of a model's values, as plain data. */
export interface Ranges {
  /** The calibration method. */
  readonly method: CalibrationMethod;
  /** The ranges, by the names of the values. */
  readonly values: Readonly<Record<string, Range>>;
}

/** onnxruntime's names of the methods. */
const THEIRS: Readonly<Record<CalibrationMethod, string>> = {
  minmax: 'MinMax',
  average: 'MinMax',
  mse: 'MinMax',
  entropy: 'Entropy',
  percentile: 'Percentile',
};

const arrayOf = (x: number) => ({ data: Math.fround(x), dtype: 'float32', CLS: 'numpy.array' });

/** Writes ranges in the format of onnxruntime's calibration cache (`calibration_cache_path`). */
export function toCalibrationCache({ method, values }: Ranges): string {
  const data = Object.entries(values).map(([name, { lowest, highest }]) => [
    name,
    { lowest: arrayOf(lowest), highest: arrayOf(highest), CLS: 'TensorData' },
  ]);
  const calibration_method = { CLS: 'CalibrationMethod', value: `CalibrationMethod.${THEIRS[method]}` };
  const smooth_quant = false;
  return JSON.stringify({ CLS: 'TensorsData', data: Object.fromEntries(data), calibration_method, smooth_quant });
}

/**
 * Parses ranges: JSON of a `Ranges` object, or a calibration cache of onnxruntime.
 * @throws SardonyxError INVALID_ARGUMENT with the location of the error
 */
export function parseRanges(text: string): Ranges {
  const read = parsed(text);
  const isTheirs = read.CLS === 'TensorsData';
  const entries = Object.entries(objectOf((isTheirs ? read.data : read.values) ?? refuse('values'), 'values'));
  const values = entries.map(([name, range]): [string, Range] => {
    const { lowest, highest } = objectOf(range, name);
    return [name, { lowest: numberOf(lowest, `${name}.lowest`), highest: numberOf(highest, `${name}.highest`) }];
  });
  return {
    method: methodOf(isTheirs ? theirMethod(read.calibration_method) : read.method),
    values: Object.fromEntries(values),
  };
}

type Json = Readonly<Record<string, unknown>>;

function parsed(text: string): Json {
  try {
    return objectOf(JSON.parse(text), 'the JSON value');
  } catch (cause) {
    if (cause instanceof SardonyxError) throw cause;
    throw new SardonyxError('INVALID_ARGUMENT', `ranges: invalid JSON: ${(cause as Error).message}`, {}, { cause });
  }
}

function refuse(place: string, value?: unknown): never {
  throw new SardonyxError('INVALID_ARGUMENT', `ranges: ${place} is invalid: ${shown(value)}`);
}

const objectOf = (value: unknown, place: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : refuse(place, value);

/** Parses a number, possibly in a NumPy array. */
function numberOf(value: unknown, place: string): number {
  const inner = typeof value === 'object' && value !== null ? (value as Json).data : value;
  const [number] = [inner].flat(2);
  return typeof number === 'number' && Number.isFinite(number) ? number : refuse(place, value);
}

function methodOf(method: unknown): CalibrationMethod {
  return CALIBRATIONS.find((name) => name === method) ?? refuse('method', method);
}

function theirMethod(method: unknown): unknown {
  const name =
    typeof method === 'object' && method !== null
      ? String((method as Json).value)
          .split('.')
          .pop()
      : method;
  return CALIBRATIONS.find((ours) => THEIRS[ours] === name);
}
