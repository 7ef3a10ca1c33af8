import { bytes, concat, double, type Field, floats, integer, message, text, unlessZero } from '../fields.js';
import { floatTensor, shownBy, value } from './value.js';

/** The value of a hyperparameter. */
export type HyperParameter = string | number | boolean;

/** Field numbers: https://github.com/tensorflow/tensorboard/tree/master/tensorboard/plugins/hparams */
const Data = { experiment: 2, start: 3, end: 4 } as const;
const TAGS = { experiment: 'experiment', start: 'session_start_info', end: 'session_end_info' } as const;
const SUCCESS = 1;

const about = (part: keyof typeof Data, ...fields: readonly Field[]): Field =>
  value(
    `_hparams_/${TAGS[part]}`,
    floatTensor([0], (id) => floats(id, [])),
    shownBy('hparams', message(Data[part], ...fields)),
  );

/** DataType and the field of google.protobuf.Value for each type. */
const TYPES = {
  string: { type: 1, write: (x: string) => text(3, x) },
  boolean: { type: 2, write: (x: boolean) => integer(4, Number(x)) },
  number: { type: 3, write: (x: number) => double(2, x) },
} as const;
const written = (x: HyperParameter): Field =>
  (TYPES[typeof x as keyof typeof TYPES].write as (x: HyperParameter) => Field)(x);
const typeOf = (x: HyperParameter): number => TYPES[typeof x as keyof typeof TYPES].type;

type Values = Readonly<Record<string, HyperParameter>>;

/** The hyperparameters, and the scalars by which runs are compared. */
export const experiment = (values: Values, metrics: readonly string[]): Field =>
  about(
    'experiment',
    ...Object.entries(values).map(([name, x]) => message(4, text(1, name), integer(4, typeOf(x)))),
    ...metrics.map((tag) => message(5, message(1, text(2, tag)))),
  );

/** The hyperparameters of this run. */
export const start = (values: Values, wallTime: number): Field =>
  about(
    'start',
    ...Object.entries(values).map(([name, x]) => message(1, text(1, name), bytes(2, concat([written(x)])))),
    unlessZero(double, 5, wallTime),
  );

export const end = (wallTime: number): Field => about('end', integer(1, SUCCESS), unlessZero(double, 2, wallTime));
