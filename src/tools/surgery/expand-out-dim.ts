import {
  AttributeProto,
  type GraphProto,
  type ModelProto,
  NodeProto,
  TensorProto,
  type ValueInfoProto,
} from '../../../build/onnx.js';
import { withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { withProto } from '../model-of.js';
import { domainOf } from '../schemas/domains.js';
import { freshValues } from './names.js';
import { graphOf, refused } from './refuse.js';
import { byTable, renamedModel, renamingAll } from './rename.js';
import { dimension } from './types.js';

/**
 * Adds a dimension of 1 at the given axis to each output of a model. A negative axis counts from the end of the new
 * shape.
 * @throws SardonyxError INVALID_ARGUMENT if an output is not a tensor, is also an input, or does not have this axis
 */
export function expandOutDim(model: Model, axis: number): Model {
  const { input, output } = graphOf(model);
  if (!Number.isSafeInteger(axis)) throw refused(`axis: expected an integer, got ${axis}`);
  for (const { name } of output)
    if (input.some((info) => info.name === name))
      throw refused(`the output "${name}" is also an input, so its shape cannot change`);
  const fresh = freshValues(model.proto);
  const table = new Map(output.map(({ name }) => [name, fresh(`${name}_collapsed`)]));
  const proto = renamedModel(model.proto, byTable(table), renamingAll);
  const graph = proto.graph as GraphProto;
  const nodes = output.map((info) => {
    const names = [table.get(info.name) as string, info.name] as const;
    const at = placeIn(info, axis);
    return opsetOf(proto) >= 13 ? byInput(names, at, fresh('axes')) : byAttribute(names, at);
  });
  const told = new Set(graph.valueInfo.map(({ name }) => name));
  return withProto(
    model,
    withChanges(proto, {
      graph: withChanges(graph, {
        node: [...graph.node, ...nodes.map(({ node }) => node)],
        initializer: [...graph.initializer, ...nodes.flatMap(({ axes }) => axes ?? [])],
        output: output.map((info) => expanded(info, placeIn(info, axis))),
        valueInfo: [...graph.valueInfo, ...graph.output.filter(({ name }) => !told.has(name))],
      }),
    }),
  );
}

const opsetOf = ({ opsetImport }: ModelProto): number =>
  toNumber(opsetImport.find(({ domain }) => domainOf(domain) === '')?.version ?? 1);

/** The axis counted from the start, if the rank is known. */
function placeIn({ name, type }: ValueInfoProto, axis: number): number {
  if (type && !type.tensorType) throw refused(`the output "${name}" is not a tensor`);
  const rank = type?.tensorType?.shape?.dim.length;
  if (rank === undefined) return axis;
  const at = axis < 0 ? axis + rank + 1 : axis;
  if (at >= 0 && at <= rank) return at;
  throw refused(`axis: expected -${rank + 1} to ${rank} for the output "${name}" of rank ${rank}, got ${axis}`);
}

interface Expansion {
  readonly node: NodeProto;
  readonly axes?: TensorProto;
}

const INTS = AttributeProto.AttributeType.INTS;

/** https://onnx.ai/onnx/operators/onnx__Unsqueeze.html: axes are an input since opset 13. */
const byAttribute = ([from, to]: readonly [string, string], at: number): Expansion => ({
  node: new NodeProto({
    opType: 'Unsqueeze',
    input: [from],
    output: [to],
    attribute: [new AttributeProto({ name: 'axes', type: INTS, ints: [at] })],
  }),
});

const byInput = ([from, to]: readonly [string, string], at: number, name: string): Expansion => ({
  node: new NodeProto({ opType: 'Unsqueeze', input: [from, name], output: [to] }),
  axes: new TensorProto({ name, dataType: ELEMENTS.int64.onnx, dims: [1], int64Data: [at] }),
});

function expanded(info: ValueInfoProto, at: number): ValueInfoProto {
  const tensorType = info.type?.tensorType;
  if (!info.type || !tensorType?.shape) return info;
  const dim = [...tensorType.shape.dim];
  dim.splice(at, 0, dimension(1));
  const shape = withChanges(tensorType.shape, { dim });
  return withChanges(info, { type: withChanges(info.type, { tensorType: withChanges(tensorType, { shape }) }) });
}
