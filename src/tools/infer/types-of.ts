import type { GraphProto, ModelProto } from '../../../build/onnx.js';
import type { ValueType } from '../../graph/types.js';
import type { ExternalData } from '../../model/external-data.js';
import { inferModel } from './infer-model.js';

export type ValueTypes = ReadonlyMap<string, ValueType>;

/** Types of the values of each graph by their names, sizes as numbers or symbols, as far as they follow. */
export async function typesIn(
  proto: ModelProto,
  externalData?: ExternalData,
): Promise<ReadonlyMap<GraphProto, ValueTypes>> {
  const { layout, facts } = await inferModel(proto, { externalData });
  return new Map(
    layout.graphs.map(({ proto: graph, graph: read, values }) => {
      const known = facts.get(read);
      const types = [...values].flatMap(([name, value]): [string, ValueType][] => {
        const type = known?.get(value)?.type;
        return type ? [[name, type]] : [];
      });
      return [graph, new Map(types)];
    }),
  );
}

/** Types of all values of a model by their names; of a name that several graphs have, the outermost one's. */
export async function typesOf(proto: ModelProto, externalData?: ExternalData): Promise<ValueTypes> {
  const graphs = [...(await typesIn(proto, externalData)).values()];
  return new Map(graphs.reverse().flatMap((types) => [...types]));
}
