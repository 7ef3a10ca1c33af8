import type { Model } from '../../../model/document/model.js';

/** Options of `toCoreML`. */
export interface CoreMLOptions {
  /** Sizes of the model's dynamic dimensions, by name. Core ML needs fixed sizes. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** The files of a Core ML package, by their paths within the folder `NAME.mlpackage`. */
export type CoreMLPackage = ReadonlyMap<string, Uint8Array>;

/**
 * Converts a model to a Core ML package: an `mlprogram` in float32 for iOS 15 and macOS 12 or later. Integers have 32
 * bits, and all sizes are fixed.
 * @throws TranslationError with all unsupported nodes; ConversionError if the model cannot be converted to opset 18
 */
export async function toCoreML(model: Model, { sizes = {} }: CoreMLOptions = {}): Promise<CoreMLPackage> {
  const { packaged } = await import('./packaged.js');
  return packaged(model, sizes);
}
