import type { TensorProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { fileOf, sizeOf } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { tensorsOf } from '../../model/document/tensors.js';
import { rawDataOf } from '../tensor-data.js';

/** The number of bytes from the middle of a weight that identify it. */
const PRINTED = 256;

/** Fingerprints of the contents of all tensors; empty for strings and if the contents cannot be read. */
export async function printsOf(model: Model): Promise<(tensor: TensorProto) => string> {
  const prints = new Map<TensorProto, string>();
  for (const tensor of tensorsOf(model.proto, () => true)) prints.set(tensor, await printOf(tensor, model));
  return (tensor) => prints.get(tensor) ?? '';
}

async function printOf(tensor: TensorProto, model: Model): Promise<string> {
  try {
    const data = await rawDataOf(tensor, model);
    const begin = Math.max(0, (sizeOf(data) - PRINTED) >> 1);
    const bytes = await fileOf(data).range(begin, Math.min(sizeOf(data), begin + PRINTED));
    return String.fromCharCode(...bytes);
  } catch (error) {
    if (error instanceof SardonyxError) return '';
    throw error;
  }
}
