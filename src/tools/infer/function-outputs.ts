import {
  type AttributeProto,
  type FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  TypeProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { modelFrom } from '../model-of.js';
import { type InferOptions, inferShapes } from './infer-shapes.js';

/**
 * Infers the types of a function's outputs from the types of its inputs and the attributes of the call. An empty
 * `TypeProto` marks an omitted input.
 * @throws InvalidModelError if the types contradict the function, unless `strict` is false
 */
export async function inferFunctionOutputTypes(
  definition: FunctionProto,
  inputTypes: readonly TypeProto[],
  attributes: readonly AttributeProto[] = [],
  options: InferOptions = {},
): Promise<TypeProto[]> {
  const { input, output, domain, name, overload, opsetImport } = definition;
  const isGiven = (i: number) => inputTypes[i] !== undefined && Object.keys(inputTypes[i]).length > 0;
  const given = input.filter((_, i) => isGiven(i));
  const call = new NodeProto({
    opType: name,
    domain,
    overload,
    input: input.map((value, i) => (isGiven(i) ? value : '')),
    output: [...output],
    attribute: [...attributes],
  });
  const graph = new GraphProto({
    name,
    node: [call],
    input: given.map((value) => new ValueInfoProto({ name: value, type: inputTypes[input.indexOf(value)] ?? null })),
    output: output.map((value) => new ValueInfoProto({ name: value })),
  });
  const imports = opsetImport.some((entry) => entry.domain === domain)
    ? opsetImport
    : [...opsetImport, { domain, version: 1 }];
  const proto = new ModelProto({ irVersion: 10, opsetImport: imports, functions: [definition], graph });
  const inferred = await inferShapes(modelFrom(proto), { strict: true, ...options });
  return (inferred.proto.graph as GraphProto).output.map(({ type }) => type ?? new TypeProto());
}
