/** Ways to fit an image to a size with another aspect ratio: crop, stretch, or add borders. */
export const FITS = ['cover', 'stretch', 'contain'] as const;
/** The way an image fills a tensor of another aspect ratio: `cover` crops it, `stretch` distorts it, `contain` adds a background. */
export type Fit = (typeof FITS)[number];

/** A size in pixels. */
export interface Size {
  /** Pixels in a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** The position of the whole image, in pixels of the target; outside its edges if the image is cropped. */
export interface Placement extends Size {
  /** Pixels between the left edge and the image; negative if the image is cropped. */
  readonly left: number;
  /** Pixels between the top edge and the image; negative if the image is cropped. */
  readonly top: number;
}

/**
 * The position of an image after resizing it, for example to map boxes that a model found back to the image.
 * @param crop the part of a covered size that is kept: 0.875 scales to 256 and keeps 224
 */
export function placementOf(picture: Size, target: Size, fit: Fit = 'cover', crop = 1): Placement {
  if (fit === 'stretch') return { left: 0, top: 0, width: target.width, height: target.height };
  const ratios = [target.width / picture.width, target.height / picture.height] as const;
  const scale = fit === 'cover' ? Math.max(...ratios) / crop : Math.min(...ratios);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  return {
    left: -Math.floor((width - target.width) / 2),
    top: -Math.floor((height - target.height) / 2),
    width,
    height,
  };
}
