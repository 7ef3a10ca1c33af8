/** Normalizations of pixels, as in `--normalize` of the command line. */
export const NORMALIZATIONS = [
  ['unit', '0 … 1'],
  ['signed', '−1 … 1'],
  ['imagenet', 'ImageNet'],
  ['clip', 'CLIP'],
  ['bytes', '0 … 255'],
] as const;
