import type { ValueInfoProto } from '../../../build/onnx.js';
import type { ValueMetadata } from '../../graph/metadata.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import type { Feeds } from '../../session/feeds.js';
import { elementTypeOf } from '../../tensor/element-types.js';
import { isTensorValue } from '../../tensor/tensor-value.js';
import type { Values } from '../compare/findings.js';
import { generatedFeeds, type Sizes } from '../generated-feeds.js';
import { constantsOf } from '../surgery/bodies.js';
import { graphOf } from '../surgery/refuse.js';
import type { Subject } from './subject.js';

/**
 * The input values of a part in a run of the whole model. Values in subgraphs, which may run several times, are random.
 */
export function feedsOf(model: Model, { feeds = {}, values = {} }: Subject): Feeds {
  const graph = graphOf(model);
  const constants = new Set(constantsOf(graph));
  const open = graph.input.filter(({ name }) => Object.hasOwn(feeds, name) || !constants.has(name));
  const unknown = open.filter(({ name }) => !Object.hasOwn(values, name)).map(metadataOf);
  const known = open.flatMap(({ name }) => (Object.hasOwn(values, name) ? [[name, values[name]] as const] : []));
  return { ...generatedFeeds(unknown, sizesIn(open, values)), ...Object.fromEntries(known) } as Feeds;
}

const dimsIn = ({ type }: ValueInfoProto): (number | string)[] =>
  type?.tensorType?.shape?.dim.map(({ dimValue, dimParam }) => dimParam || toNumber(dimValue ?? 1)) ?? [];

const metadataOf = (info: ValueInfoProto): ValueMetadata => {
  const { name, type } = info;
  const element = elementTypeOf(type?.tensorType?.elemType ?? 0);
  return element
    ? { name, isTensor: true, type: element, shape: dimsIn(info) }
    : { name, isTensor: false, valueType: undefined };
};

/** The values of dimension names. */
function sizesIn(infos: readonly ValueInfoProto[], values: Values): Sizes {
  const sizes: Record<string, number> = {};
  for (const info of infos) {
    const value = values[info.name];
    if (!isTensorValue(value)) continue;
    for (const [i, dim] of dimsIn(info).entries()) if (typeof dim === 'string') sizes[dim] = value.dims[i] ?? 1;
  }
  return sizes;
}
