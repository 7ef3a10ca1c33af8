import type { TensorShapeProto, TypeProto } from '../../../build/onnx.js';
import { toBigInt } from '../int64.js';
import { ELEMENT_NAMES, quotable } from './names.js';
import type { Style } from './style.js';

type Type = TypeProto.$Properties;
type Dimension = TensorShapeProto.Dimension.$Properties;
type TensorType = TypeProto.Tensor.$Properties;

/** The name of an element type; for unknown ones `float`, if an annotation restores it. */
export const elementName = (type: number | null | undefined, { lossless }: Style): string =>
  ELEMENT_NAMES[type ?? 0] ?? (lossless ? 'float' : 'undefined');

export function printType(type: Type, style: Style): string {
  if (type.tensorType) return tensorType(type.tensorType, style);
  if (type.sequenceType) return `seq(${printType(type.sequenceType.elemType ?? {}, style)})`;
  if (type.mapType)
    return `map(${elementName(type.mapType.keyType, style)}, ${printType(type.mapType.valueType ?? {}, style)})`;
  if (type.optionalType) return `optional(${printType(type.optionalType.elemType ?? {}, style)})`;
  if (type.sparseTensorType) return `sparse_tensor(${tensorType(type.sparseTensorType, style)})`;
  if (type.opaqueType) return opaque(type.opaqueType, style);
  return style.lossless ? 'float' : '';
}

function tensorType({ elemType, shape }: TensorType, style: Style): string {
  const name = elementName(elemType, style);
  if (!shape) return `${name}[]`;
  return shape.dim?.length ? `${name}[${shape.dim.map(dimension).join(',')}]` : name;
}

function dimension({ dimValue, dimParam }: Dimension): string {
  if (dimValue != null) return `${toBigInt(dimValue)}`;
  return dimParam == null ? '?' : quotable(dimParam);
}

const QUALIFIED = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

function opaque({ domain, name }: TypeProto.Opaque.$Properties, { lossless }: Style): string {
  const parts = [domain, name].filter(Boolean) as string[];
  const isPlain = parts.every((part) => QUALIFIED.test(part)) && !(domain && (!name || name.includes('.')));
  return `opaque(${lossless && !isPlain ? '' : [domain, name ?? ''].filter((part, i) => part || i).join(',')})`;
}
