/** What pixels become, as `--normalize` of the command line has it. */
export const NORMALIZATIONS = [
  ['unit', '0 … 1'],
  ['signed', '−1 … 1'],
  ['imagenet', 'ImageNet'],
  ['clip', 'CLIP'],
  ['bytes', '0 … 255'],
] as const;
