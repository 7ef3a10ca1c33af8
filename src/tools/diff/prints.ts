import type { TensorProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { fileOf, sizeOf } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { tensorsOf } from '../../model/document/tensors.js';
import { rawDataOf } from '../tensor-data.js';

/** Bytes from the middle of its contents by which a weight is known again. */
const PRINTED = 256;

/** A print of each tensor's contents; empty where they cannot be read, and of strings. */
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
