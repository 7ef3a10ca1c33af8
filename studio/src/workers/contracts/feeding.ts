import type { Pixels } from 'sardonyx/image';

/** How an image becomes a tensor, like `--fit`, `--normalize` and `--bgr` on the command line. */
export interface PictureChoices {
  readonly fit: 'cover' | 'stretch' | 'contain';
  readonly normalize: 'unit' | 'signed' | 'imagenet' | 'clip' | 'bytes';
  readonly isBgr: boolean;
}

export const PICTURE_CHOICES: PictureChoices = { fit: 'cover', normalize: 'unit', isBgr: false };

/** The source of an input's value. */
export type InputChoice =
  | { readonly kind: 'generated'; readonly seed: number }
  | { readonly kind: 'file'; readonly file: File; readonly picture: PictureChoices }
  | { readonly kind: 'pixels'; readonly pixels: Pixels; readonly picture: PictureChoices }
  | { readonly kind: 'sound'; readonly samples: Float32Array }
  | { readonly kind: 'numbers'; readonly text: string };

/** Sizes of open dimensions by symbol. */
export type OpenSizes = ReadonlyMap<string, number>;

/** The feeds of a run: a choice for each input by name, and sizes of open dimensions by symbol. */
export interface Feeding {
  readonly inputs: ReadonlyMap<string, InputChoice>;
  readonly sizes: OpenSizes;
}
