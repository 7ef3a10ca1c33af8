import type { GraphProto, ModelProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { toNumber } from '../../../src/model/int64.js';
import { type Schema, schemaOf } from '../../../src/tools/schemas/schemas.js';
import type { Random } from '../../fuzz/files/random.js';

/** Something in a model, and the way to it. */
export interface Place<M> {
  readonly it: M;
  readonly path: string;
}

/** A model that faults are put into; each thing is taken once, so that no fault hides another. */
export interface Site {
  readonly model: ModelProto;
  readonly random: Random;
  readonly taken: Set<object>;
}

/** The main graph, and all inside it. */
export function graphsOf({ model }: Site): Place<GraphProto>[] {
  const found: Place<GraphProto>[] = [];
  const look = (it: GraphProto, path: string) => {
    found.push({ it, path });
    for (const [i, { attribute }] of it.node.entries())
      for (const { name, g } of attribute) if (g) look(g, `${path}.node[${i}].attribute.${name}.g`);
  };
  if (model.graph) look(model.graph, 'graph');
  return found;
}

export function take<M extends object>(site: Site, places: readonly Place<M>[]): Place<M> | undefined {
  const free = places.filter(({ it }) => !site.taken.has(it));
  if (free.length === 0) return undefined;
  const place = site.random.pick(free);
  site.taken.add(place.it);
  return place;
}

/** A node of any graph of which this holds. */
export const takeNode = (site: Site, test: (node: NodeProto) => boolean = () => true): Place<NodeProto> | undefined =>
  take(
    site,
    graphsOf(site).flatMap(({ it, path }) =>
      it.node.flatMap((node, i) => (test(node) ? [{ it: node, path: `${path}.node[${i}]` }] : [])),
    ),
  );

/** An initializer that holds numbers in raw_data. */
export const takeTensor = (site: Site, test: (tensor: TensorProto) => boolean = () => true) =>
  take(
    site,
    graphsOf(site).flatMap(({ it, path }) =>
      it.initializer.flatMap((tensor, i) =>
        tensor.rawData.length > 0 && tensor.dims.length > 0 && test(tensor)
          ? [{ it: tensor, path: `${path}.initializer[${i}]` }]
          : [],
      ),
    ),
  );

export const takeBorder = (site: Site, field: 'input' | 'output') =>
  take(
    site,
    (site.model.graph?.[field] ?? []).flatMap((info, i) =>
      info.type?.tensorType?.shape ? [{ it: info, path: `graph.${field}[${i}]` }] : [],
    ),
  );

/** What a node of ONNX's own domain declares, under the model's opset. */
export function declared({ model }: Site, node: NodeProto): Schema | undefined {
  const version = model.opsetImport.find(({ domain }) => domain === '' || domain === 'ai.onnx')?.version;
  if (node.domain !== '' || version === undefined || model.functions.some(({ name }) => name === node.opType))
    return undefined;
  return schemaOf('', node.opType, toNumber(version));
}

/** An opset of ONNX's own domain at least as new as this. */
export const hasOpset = ({ model }: Site, least: number): boolean =>
  model.opsetImport.some(({ domain, version }) => domain === '' && toNumber(version) >= least);
