import { bytes, type Field, integer, message, text, unlessZero } from '../fields.js';

/** Field numbers of Summary and its parts: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/framework/summary.proto. */
const Summary = { value: 1 } as const;
export const Value = { tag: 1, simpleValue: 2, image: 4, histo: 5, tensor: 8, metadata: 9 } as const;
const Metadata = { pluginData: 1, dataClass: 4 } as const;
const PluginData = { name: 1, content: 2 } as const;
const TENSOR_CLASS = 2;

export const value = (tag: string, ...fields: readonly Field[]): Field =>
  message(Summary.value, text(Value.tag, tag), ...fields);

/** The TensorBoard plugin that shows a tensor, and data for it. */
export const shownBy = (panel: string, content: Uint8Array): Field =>
  message(
    Value.metadata,
    message(
      Metadata.pluginData,
      text(PluginData.name, panel),
      ...(content.length ? [bytes(PluginData.content, content)] : []),
    ),
    integer(Metadata.dataClass, TENSOR_CLASS),
  );

/** Field numbers of a tensor; `content` has the same encoding as a packed list of floats. */
const Tensor = { dtype: 1, shape: 2, content: 4, strings: 8 } as const;
const Type = { float: 1, string: 7 } as const;
const shape = (dims: readonly number[]) =>
  message(Tensor.shape, ...dims.map((size) => message(2, unlessZero(integer, 1, size))));

const tensor = (type: number, dims: readonly number[], elements: readonly Field[]): Field =>
  message(Value.tensor, integer(Tensor.dtype, type), shape(dims), ...elements);

/** `elements` encodes the values, as `floats` does. */
export const floatTensor = (dims: readonly number[], elements: (id: number) => Field): Field =>
  tensor(Type.float, dims, [elements(Tensor.content)]);

export const textTensor = (strings: readonly string[]): Field =>
  tensor(
    Type.string,
    [strings.length],
    strings.map((one) => text(Tensor.strings, one)),
  );
