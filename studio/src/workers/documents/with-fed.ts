import type { ModelProto, ValueInfoProto } from 'sardonyx/model';
import { withChanges } from '../../../../src/model/document/changed.js';
import { sized, withSizes } from '../../../../src/tools/infer/types-in.js';
import type { Fed } from '../contracts/documents.js';

const dimsOf = ({ type }: ValueInfoProto) => type?.tensorType?.shape?.dim ?? [];

/** The model with the sizes its inputs were fed with, also for other dimensions with the same names. */
export function withFed(proto: ModelProto, fed: Fed): ModelProto {
  const inputs = proto.graph?.input.filter(({ name }) => Object.hasOwn(fed, name)) ?? [];
  const bound = inputs.flatMap((info) =>
    dimsOf(info).flatMap(({ dimParam }, axis): [string, number][] => {
      const size = fed[info.name]?.[axis];
      return dimParam && size !== undefined ? [[dimParam, size]] : [];
    }),
  );
  const named = withSizes(proto, Object.fromEntries(bound));
  if (!named.graph || inputs.length === 0) return named;
  const input = named.graph.input.map((info) =>
    Object.hasOwn(fed, info.name) ? withDims(info, fed[info.name]) : info,
  );
  return withChanges(named, { graph: withChanges(named.graph, { input }) });
}

/** Also sets unnamed sizes. */
function withDims(info: ValueInfoProto, sizes: readonly number[] = []): ValueInfoProto {
  const { type } = info;
  const { tensorType } = type ?? {};
  if (!type || !tensorType?.shape || dimsOf(info).length !== sizes.length) return info;
  const dim = dimsOf(info).map((each, axis) => sized(each, sizes[axis] as number));
  const shape = withChanges(tensorType.shape, { dim });
  return withChanges(info, { type: withChanges(type, { tensorType: withChanges(tensorType, { shape }) }) });
}
