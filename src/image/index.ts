export { type ErrorCode, type ErrorPlace, SardonyxError } from '../errors.js';
export { type Fit, type Placement, placementOf, type Size } from './fit.js';
export { type ImageTensorOptions, imageTensor } from './image-tensor.js';
export type { Channels, Normalization, NormalizationOptions, PerColor } from './normalization.js';
export type { Background } from './raster.js';
export type { ImageSource, Pixels } from './source.js';
export type { Layout, PictureInput, PictureType } from './tensor-form.js';
export { type ImageDataOptions, toImageData } from './to-image-data.js';
