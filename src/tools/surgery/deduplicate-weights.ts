import { TensorProto } from '../../../build/onnx.js';
import type { Model } from '../../model/document/model.js';
import { isSame, probed } from '../packed-file.js';
import { rawDataOf } from '../tensor-data.js';
import { removeConstant } from './edit/dead.js';
import { edit } from './edit/edit.js';
import { type EditedGraph, type EditedValue, graphsUnder } from './edit/graph.js';

/**
 * Replaces constants of the same type, shape and contents with one, also across subgraphs. Constants that are inputs or
 * outputs do not change.
 */
export const deduplicateWeights = (model: Model): Promise<Model> =>
  edit(model, async (graph) => {
    const known = new Map<string, EditedValue[]>();
    for (const body of graphsUnder(graph)) for (const value of [...body.constants]) await tie(value, known, model);
  });

async function tie(value: EditedValue, known: Map<string, EditedValue[]>, model: Model): Promise<void> {
  const { constant, graph } = value;
  if (!(constant instanceof TensorProto) || value.isInput || value.isOutput) return;
  const key = await keyOf(constant, model);
  const alike = known.get(key) ?? [];
  for (const other of alike)
    if (isSeen(other.graph, graph) && (await isEqual(constant, other.constant as TensorProto, model))) {
      value.replaceBy(other);
      graph.originals.set(constant.name, other);
      return removeConstant(value);
    }
  known.set(key, [...alike, value]);
}

const STRING = 8;

async function keyOf(tensor: TensorProto, model: Model): Promise<string> {
  const { dataType, dims, stringData } = tensor;
  const data = dataType === STRING ? stringData.length : await probed(await rawDataOf(tensor, model));
  return `${dataType} ${dims.map(Number)} ${data}`;
}

async function isEqual(a: TensorProto, b: TensorProto, model: Model): Promise<boolean> {
  if (a.dataType !== STRING) return isSame(await rawDataOf(a, model), await rawDataOf(b, model));
  const hex = ({ stringData }: TensorProto) => stringData.map((bytes) => bytes.join(' ')).join('\n');
  return hex(a) === hex(b);
}

/** Whether values of the first graph are visible in the second. */
function isSeen(outer: EditedGraph, inner: EditedGraph): boolean {
  for (let graph: EditedGraph | undefined = inner; graph; graph = graph.parent) if (graph === outer) return true;
  return false;
}
