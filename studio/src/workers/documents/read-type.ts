import { TensorShapeProto, TypeProto } from '../../../../build/onnx.js';
import { ELEMENT_NAMES } from './type-text.js';

const CONTAINER = /^(sequence|optional)\((.*)\)$/s;
const MAP = /^map\(\s*(\w+)\s*,(.*)\)$/s;
const TENSOR = /^(sparse\s+)?(\w+)\s*(?:\[([^[\]]*)\])?$/s;

/**
 * Parses a type as written by `typeText`: `float32[batch, 128]`, `sequence(float32[?])`, `map(int64, float32)`.
 * @throws Error if the text is not a type
 */
export function typeOf(text: string): TypeProto {
  const written = text.trim();
  const [, container, inner = ''] = CONTAINER.exec(written) ?? [];
  if (container) return new TypeProto({ [`${container}Type`]: { elemType: typeOf(inner) } });
  const [, key, value = ''] = MAP.exec(written) ?? [];
  if (key) return new TypeProto({ mapType: { keyType: elementOf(key), valueType: typeOf(value) } });
  const [, sparse, element, dims] = TENSOR.exec(written) ?? [];
  if (!element) throw new Error(`"${written}" is not a type. Write a type as float32[batch, 3]`);
  const tensor = { elemType: elementOf(element), ...(dims !== undefined && { shape: shapeOf(dims) }) };
  return new TypeProto(sparse ? { sparseTensorType: tensor } : { tensorType: tensor });
}

function elementOf(name: string): number {
  const code = ELEMENT_NAMES.indexOf(name);
  if (code <= 0) throw new Error(`"${name}" is not an element type. Use one of: ${ELEMENT_NAMES.slice(1).join(', ')}`);
  return code;
}

const shapeOf = (text: string): TensorShapeProto =>
  new TensorShapeProto({ dim: text.trim() === '' ? [] : text.split(',').map((size) => dimOf(size.trim())) });

const dimOf = (size: string): TensorShapeProto.Dimension.$Properties =>
  size === '' || size === '?' ? {} : /^\d+$/.test(size) ? { dimValue: Number(size) } : { dimParam: size };
