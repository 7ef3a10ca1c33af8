import type { Pixels } from 'sardonyx/image';

/** How a picture becomes a tensor: as `--fit`, `--normalize` and `--bgr` of the command line. */
export interface PictureChoices {
  readonly fit: 'cover' | 'stretch' | 'contain';
  readonly normalize: 'unit' | 'signed' | 'imagenet' | 'clip' | 'bytes';
  readonly isBgr: boolean;
}

export const PICTURE_CHOICES: PictureChoices = { fit: 'cover', normalize: 'unit', isBgr: false };

/** Where the value of one input comes from. */
export type InputChoice =
  | { readonly kind: 'generated'; readonly seed: number }
  | { readonly kind: 'file'; readonly file: File; readonly picture: PictureChoices }
  | { readonly kind: 'pixels'; readonly pixels: Pixels; readonly picture: PictureChoices }
  | { readonly kind: 'sound'; readonly samples: Float32Array }
  | { readonly kind: 'numbers'; readonly text: string };

/** Sizes of open dimensions by their symbols. */
export type OpenSizes = ReadonlyMap<string, number>;

/** What a run is fed: a choice for each input by name, and sizes of open dimensions by symbol. */
export interface Feeding {
  readonly inputs: ReadonlyMap<string, InputChoice>;
  readonly sizes: OpenSizes;
}
