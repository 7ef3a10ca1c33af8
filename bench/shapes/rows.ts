import { type NamedTensor, type Random, randomFloats, randomIntegers } from '../inputs.js';
import { bert, gpt } from '../rows.js';

/** A model that runs at one size after another. */
export interface ShapesRow {
  name: string;
  /** Folder of the model, in the Model Zoo's layout. */
  model: string;
  /** Feeds of each run, in addition to `carried` outputs of the previous one. */
  runs: (random: Random) => NamedTensor[][];
  /** Outputs that become inputs of the next run. */
  carried?: readonly (readonly [output: string, input: string])[];
}

const CACHE = ['key', 'value'].flatMap((part) => [0, 1, 2, 3].map((layer) => `${layer}_${part}`));

export const shapesRows: readonly ShapesRow[] = [
  {
    name: 'gpt_mini, 200 tokens on 16',
    model: 'gpt_mini',
    runs: (random) => [
      gpt(random, 16),
      ...Array.from({ length: 199 }, () => [randomIntegers('input_ids', [1, 1], 4000, random)]),
    ],
    carried: CACHE.map((name) => [`present_${name}`, `past_${name}`]),
  },
  {
    name: 'bert_mini, 60 lengths of 9–128',
    model: 'bert_mini',
    runs: (random) => distinct(60, 9, 128, random).map((length) => bert(random, length)),
  },
  {
    name: 'lstm, 60 lengths of 8–200',
    model: 'lstm',
    runs: (random) => distinct(60, 8, 200, random).map((length) => [randomIntegers('ids', [1, length], 500, random)]),
  },
  {
    name: 'unet_small, 30 sizes of 32²–160²',
    model: 'unet_small',
    runs: (random) => {
      const [heights, widths] = [distinct(30, 8, 40, random), distinct(30, 8, 40, random)];
      return heights.map((height, i) => [randomFloats('input', [1, 3, 4 * height, 4 * (widths[i] as number)], random)]);
    },
  },
];

/** `count` different whole numbers from `first` to `last`, in random order. */
function distinct(count: number, first: number, last: number, random: Random): number[] {
  const left = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0] as number);
}
