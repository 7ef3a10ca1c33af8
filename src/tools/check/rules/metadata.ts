import type { StringStringEntryProto } from '../../../../build/onnx.js';
import { at, type Context, eachRepeated, error, warning } from '../context.js';

/** Reports duplicate keys of a list that represents a map. */
export function uniqueKeys(list: readonly StringStringEntryProto[], field: string, c: Context): void {
  eachRepeated(
    list,
    ({ key }) => key,
    ({ key }, i) => error(at(c, field, i), 'DUPLICATE', `duplicate key "${key}"`, { value: key }),
  );
}

/** Only models have metadata_props before IR version 10. */
export function metadata(message: { readonly metadataProps: StringStringEntryProto[] }, c: Context): void {
  uniqueKeys(message.metadataProps, 'metadata_props', c);
  if (message.metadataProps.length > 0) since(10, 'metadata_props outside the model itself', at(c, 'metadata_props'));
}

/** Warns of a feature that needs a newer IR version than the model's. */
export function since(irVersion: number, what: string, c: Context): void {
  if (c.irVersion > 0 && c.irVersion < irVersion)
    warning(c, 'FEATURE', `${what} needs IR version ${irVersion}; the model has ${c.irVersion}`, {
      hint: `set ir_version to ${irVersion} or higher`,
    });
}
