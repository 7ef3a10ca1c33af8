import type { TensorShapeProto, TypeProto } from '../../build/onnx.js';
import { type Size, symbol } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import { toNumber } from './int64.js';
import { readElementType } from './tensors.js';

/** The symbols of one model. Every unknown dimension gets its own. */
export class DimSymbols {
  private fresh = 0;
  private readonly renamed = new Map<string, string>();

  next(): string {
    this.fresh++;
    return `?${this.fresh}`;
  }

  /** Renames symbols that look like generated ones, equal ones alike. */
  named(symbol: string): string {
    if (symbol === '?') return this.next();
    if (!/^\?\d+$/.test(symbol)) return symbol;
    const name = this.renamed.get(symbol) ?? this.next();
    this.renamed.set(symbol, name);
    return name;
  }
}

/** `undefined` means that the model leaves the type open, or that it is opaque. */
export function readType(
  proto: TypeProto | null | undefined,
  symbols: DimSymbols,
  name?: string,
): ValueType | undefined {
  if (!proto) return undefined;
  const { tensorType, sparseTensorType, sequenceType, optionalType, mapType } = proto;
  if (tensorType) return tensorLike('tensor', tensorType, symbols, name);
  if (sparseTensorType) return tensorLike('sparse', sparseTensorType, symbols, name);
  if (sequenceType) return wrap(readType(sequenceType.elemType, symbols, name), (of) => ({ kind: 'sequence', of }));
  if (optionalType) return wrap(readType(optionalType.elemType, symbols, name), (of) => ({ kind: 'optional', of }));
  if (mapType?.keyType)
    return wrap(readType(mapType.valueType, symbols, name), (value) => ({
      kind: 'map',
      key: readElementType(mapType.keyType, name),
      value,
    }));
  return undefined;
}

function tensorLike(
  kind: 'tensor' | 'sparse',
  proto: TypeProto.Tensor | TypeProto.SparseTensor,
  symbols: DimSymbols,
  name: string | undefined,
): ValueType | undefined {
  if (!proto.elemType) return undefined;
  const element = readElementType(proto.elemType, name);
  return proto.shape ? { kind, element, dims: readShape(proto.shape, symbols) } : { kind, element };
}

/** A negative size, which some exporters write, counts as unknown. */
function readShape(shape: TensorShapeProto, symbols: DimSymbols): Size[] {
  return shape.dim.map(({ dimValue, dimParam }) => {
    if (dimParam) return symbol(symbols.named(dimParam));
    const size = dimValue === undefined || dimValue === null ? -1 : toNumber(dimValue);
    return size >= 0 ? size : symbol(symbols.next());
  });
}

const wrap = (inner: ValueType | undefined, outer: (inner: ValueType) => ValueType): ValueType | undefined =>
  inner && outer(inner);
