import { type Command, Option } from '@commander-js/extra-typings';
import { FITS, type Fit } from '../image/fit.js';
import { NORMALIZATIONS, type Normalization } from '../image/normalization.js';
import type { InputChoices } from './feeds.js';
import { type Assignment, assigned, collected, dims, numbers, wholeNumber } from './option-values.js';

/** Options for the inputs of a run. */
export const withInputOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  withImageOptions(
    command
      .option(
        '-i, --input <name=file>',
        'read an input from a .npy, .pb or image file, or - for standard input (repeatable)',
        collected,
      )
      .option(
        '--shape <name=dims>',
        'generate an input of this shape, such as x=1x3x224x224 (repeatable)',
        assigned(dims, { anonymous: true }),
      )
      .option(
        '--dim <name=size>',
        'size of a dynamic dimension in generated inputs (default: 1; repeatable)',
        assigned(wholeNumber),
      )
      .option('--seed <n>', 'seed for generated inputs', wholeNumber, 0),
  );

const withImageOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command
    .addOption(new Option('--fit <how>', 'how to fit images to the input size').choices(FITS).default('cover' as const))
    .addOption(
      new Option('--normalize <how>', 'pixel values: unit 0…1, signed −1…1, imagenet or clip mean and std, bytes 0…255')
        .choices(NORMALIZATIONS)
        .default('unit' as const),
    )
    .option('--mean <list>', 'mean to subtract from pixels of 0…1: one number, or red,green,blue', numbers)
    .option('--std <list>', 'standard deviation to divide pixels by, in the same form', numbers)
    .option('--bgr', 'order channels blue, green, red')
    .option('--size <height>x<width>', 'image size where the model has dynamic dimensions', dims);

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
