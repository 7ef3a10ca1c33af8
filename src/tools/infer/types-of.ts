import type { ValueType } from '../../graph/types.js';
import type { Model } from '../../model/document/model.js';
import { runtimeView } from '../runtime-view.js';
import { inferModel } from './infer-model.js';

export type ValueTypes = ReadonlyMap<string, ValueType>;

/** The inferred types of values by name, for each graph by its path, such as `graph.node[3].attribute.body.g`. */
export async function typesIn(model: Model): Promise<ReadonlyMap<string, ValueTypes>> {
  const { layout, facts } = await inferModel(await runtimeView(model));
  return new Map(
    layout.graphs.map(({ path, graph, values }) => {
      const known = facts.get(graph);
      const types = [...values].flatMap(([name, value]): [string, ValueType][] => {
        const type = known?.get(value)?.type;
        return type ? [[name, type]] : [];
      });
      return [path, new Map(types)];
    }),
  );
}

/** The inferred types of all values by name. If several graphs have a name, the outermost one's is returned. */
export async function typesOf(model: Model): Promise<ValueTypes> {
  const graphs = [...(await typesIn(model)).values()];
  return new Map(graphs.reverse().flatMap((types) => [...types]));
}
