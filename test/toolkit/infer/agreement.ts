import { type ModelProto, type TypeProto, ValueInfoProto } from '../../../build/onnx.js';
import { withFields } from '../../../src/model/document/changed.js';
import { toNumber } from '../../../src/model/int64.js';
import { ELEMENTS } from '../../../src/tensor/element-types.js';
import { type HostValue, isTensorValue } from '../../../src/tensor/tensor-value.js';

/** The model without a word about what nodes make: inference knows nothing but the inputs. `all` values become outputs. */
export function stripped(proto: ModelProto, outputs?: 'all'): ModelProto {
  const { graph } = proto;
  if (!graph) return proto;
  const made = graph.node.flatMap(({ output }) => output).filter(Boolean);
  const names = outputs === 'all' ? made : graph.output.map(({ name }) => name);
  const output = [...new Set(names)].map((name) => new ValueInfoProto({ name }));
  return withFields(proto, { graph: withFields(graph, { output, valueInfo: [] }) });
}

/** Sizes that names stand for, as far as values have shown them. */
export type Sizes = Map<string, number>;

/** What is said of a value that its run contradicts; names are bound to the sizes that they are seen with. */
export function contradiction(type: TypeProto | null | undefined, value: HostValue, sizes: Sizes): string | undefined {
  if (value === null) return type?.optionalType || !type ? undefined : 'it is empty, which only an optional is';
  if (type?.optionalType) return contradiction(type.optionalType.elemType, value, sizes);
  if (Array.isArray(value)) return ofSequence(type, value);
  if (!isTensorValue(value)) return type && !type.mapType ? 'it is a map' : undefined;
  const tensor = type?.tensorType ?? type?.sparseTensorType;
  if (type && !tensor && Object.keys(type).length > 0) return `it is a tensor, not ${Object.keys(type)}`;
  if (!tensor) return undefined;
  if (tensor.elemType && tensor.elemType !== ELEMENTS[value.type].onnx)
    return `it is of ${value.type}, not of type ${tensor.elemType}`;
  return ofDims(tensor.shape?.dim, value.dims, sizes);
}

/** Names of sizes may stand for others in each element. */
function ofSequence(type: TypeProto | null | undefined, values: readonly HostValue[]): string | undefined {
  if (type && !type.sequenceType && Object.keys(type).length > 0) return 'it is a sequence';
  for (const value of values) {
    const found = contradiction(type?.sequenceType?.elemType, value, new Map());
    if (found) return `an element: ${found}`;
  }
  return undefined;
}

type Dimensions = NonNullable<NonNullable<TypeProto['tensorType']>['shape']>['dim'];

function ofDims(says: Dimensions | undefined, dims: readonly number[], sizes: Sizes): string | undefined {
  if (!says) return undefined;
  if (says.length !== dims.length) return `it is [${dims}], not of rank ${says.length}`;
  for (const [axis, { dimValue, dimParam }] of says.entries()) {
    const size = dims[axis] as number;
    const said = dimParam
      ? (sizes.get(dimParam) ?? size)
      : dimValue === undefined || dimValue === null
        ? size
        : toNumber(dimValue);
    if (dimParam) sizes.set(dimParam, said);
    if (said !== size) return `axis ${axis} of [${dims}] is ${dimParam ? `${dimParam} = ` : ''}${said}`;
  }
  return undefined;
}

/** Whether at least the rank is known, of elements where it is a sequence. */
export function isRanked(type: TypeProto | null | undefined): boolean {
  const { tensorType, sparseTensorType, sequenceType, optionalType, mapType } = type ?? {};
  const inner = sequenceType?.elemType ?? optionalType?.elemType;
  return inner ? isRanked(inner) : Boolean((tensorType ?? sparseTensorType)?.shape ?? mapType);
}
