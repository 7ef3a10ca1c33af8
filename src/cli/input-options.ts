import { type Command, Option } from '@commander-js/extra-typings';
import { FITS, type Fit } from '../image/fit.js';
import { NORMALIZATIONS, type Normalization } from '../image/normalization.js';
import type { InputChoices } from './feeds.js';
import { type Assignment, assigned, collected, dims, numbers, wholeNumber } from './option-values.js';

/** Options that say what the inputs are. */
export const withInputOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  withImageOptions(
    command
      .option(
        '-i, --input <name=file>',
        'contents of an input: .npy, .pb or a picture; - is stdin (repeatable)',
        collected,
      )
      .option(
        '--shape <name=dims>',
        'generate an input of this shape, e.g. x=1x3x224x224 (repeatable)',
        assigned(dims, { anonymous: true }),
      )
      .option('--dim <symbol=size>', 'size of an open dimension, 1 if not given (repeatable)', assigned(wholeNumber))
      .option('--seed <n>', 'seed of generated inputs', wholeNumber, 0),
  );

const withImageOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command
    .addOption(new Option('--fit <how>', 'bring images to size').choices(FITS).default('cover' as const))
    .addOption(
      new Option('--normalize <how>', 'pixel range: unit 0…1, signed −1…1, imagenet or clip mean/std, bytes 0…255')
        .choices(NORMALIZATIONS)
        .default('unit' as const),
    )
    .option('--mean <list>', 'subtracted from pixels of 0…1: one number, or red,green,blue', numbers)
    .option('--std <list>', 'what pixels are then divided by, likewise', numbers)
    .option('--bgr', 'channels in the order blue, green, red')
    .option('--size <height>x<width>', 'image size where the model leaves it open', dims);

interface ChosenInputs {
  readonly input?: readonly string[] | undefined;
  readonly shape?: readonly Assignment<readonly number[]>[] | undefined;
  readonly dim?: readonly Assignment<number>[] | undefined;
  readonly seed: number;
  readonly fit: Fit;
  readonly normalize: Normalization;
  readonly mean?: readonly number[] | undefined;
  readonly std?: readonly number[] | undefined;
  readonly bgr?: true | undefined;
  readonly size?: readonly number[] | undefined;
}

export function inputChoices(chosen: ChosenInputs): InputChoices {
  const { input: files = [], shape: shapes = [], dim = [], seed, fit, normalize, mean, std, bgr, size } = chosen;
  return { files, shapes, dims: dim, seed, image: { fit, normalize, mean, std, bgr, size } };
}
