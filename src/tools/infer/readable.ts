import { type GraphProto, type ModelProto, type TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { withChanges } from '../../model/document/changed.js';
import type { ExternalData } from '../../model/external-data.js';
import { readInitializer } from '../../model/tensors.js';
import { mapGraph } from './map-graph.js';

/** Reports an initializer that cannot be read. */
export type Unread = (error: SardonyxError) => void;

/** Replaces unreadable initializers by inputs of unknown type. */
export function readable(proto: ModelProto, externalData: ExternalData, unread: Unread): ModelProto {
  if (!proto.graph) return proto;
  const graph = mapGraph(proto.graph, (old) => withoutUnreadable(old, externalData, unread));
  return withChanges(proto, { graph });
}

function withoutUnreadable(graph: GraphProto, externalData: ExternalData, unread: Unread): Partial<GraphProto> {
  const { input, initializer } = graph;
  const sound = initializer.filter((tensor) => isReadable(tensor, externalData, unread));
  if (sound.length === initializer.length) return {};
  const known = new Set([...input, ...sound].map(({ name }) => name));
  const open = initializer
    .filter(({ name }) => name && !known.has(name))
    .map(({ name }) => new ValueInfoProto({ name }));
  return { initializer: sound, input: [...input, ...open] };
}

function isReadable(tensor: TensorProto, externalData: ExternalData, unread: Unread): boolean {
  try {
    readInitializer(tensor, externalData);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
    unread(thrown);
    return false;
  }
}
