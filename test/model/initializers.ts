import { ModelProto } from '../../build/onnx.js';
import { densify, readSparse } from '../../src/model/sparse.js';
import { readTensor } from '../../src/model/tensors.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';

/** All initializers of a model, used or not: a Graph holds only those that something uses. */
export function initializers(bytes: Uint8Array): Map<string, TensorValue> {
  const { graph } = ModelProto.decode(bytes);
  const dense = graph?.initializer.map((proto) => [proto.name, readTensor(proto)] as const) ?? [];
  const sparse = graph?.sparseInitializer.map(
    (proto) => [proto.values?.name ?? '', densify(readSparse(proto))] as const,
  );
  return new Map([...dense, ...(sparse ?? [])]);
}
