import type { Model } from '../../../model/document/model.js';

export interface CoreMLOptions {
  /** Numbers for sizes that have names: Core ML gets fixed ones. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** Files by their paths in a folder NAME.mlpackage. */
export type CoreMLPackage = ReadonlyMap<string, Uint8Array>;

/**
 * The model as a package of Core ML, an `mlprogram` in float32 for iOS 15 and macOS 12 on. Integers have 32 bits there; sizes are fixed.
 * @throws TranslationError with all nodes that have no equal; ConversionError where the model cannot come to opset 18
 */
export async function toCoreML(model: Model, { sizes = {} }: CoreMLOptions = {}): Promise<CoreMLPackage> {
  const { packaged } = await import('./packaged.js');
  return packaged(model, sizes);
}
