import { decodeBytes } from '../image/decode.js';
import type { Picture } from '../image/picture.js';
import { readBytes } from './read-file.js';

export type Image = Picture;

export const isImageFile = (path: string): boolean => /\.(png|jpe?g|webp|bmp|tiff?|jp2|j2k|p[bgpn]m)$/i.test(path);

/** Reads an image, upright. The decoders are loaded when first needed. */
export const decodeImage = (path: string): Promise<Image> => decodeBytes(readBytes(path), path);
