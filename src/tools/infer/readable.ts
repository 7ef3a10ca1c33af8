import { type GraphProto, type ModelProto, TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { LeftBytes } from '../../model/document/left-bytes.js';
import type { ExternalData } from '../../model/external-data.js';
import { readInitializer } from '../../model/tensors.js';
import { changed } from './changed.js';
import { mapGraph } from './map-graph.js';

/** Told of an initializer that cannot be read. */
export type Unread = (error: SardonyxError) => void;

/** The model as its reader takes it: weights that were left where they are lie outside, and what is no tensor is an input that is open. */
export function readable(proto: ModelProto, externalData: ExternalData, unread: Unread): ModelProto {
  if (!proto.graph) return proto;
  const graph = mapGraph(proto.graph, (old) => initializersOf(old, externalData, unread));
  return changed(proto, { graph });
}

function initializersOf(graph: GraphProto, externalData: ExternalData, unread: Unread): Partial<GraphProto> {
  const open: string[] = [];
  const initializer = graph.initializer.map(placed).filter((tensor) => {
    const isSound = isReadable(tensor, externalData, unread);
    if (!isSound) open.push(tensor.name);
    return isSound;
  });
  const known = new Set(graph.input.map(({ name }) => name));
  const inputs = open.filter((name) => name && !known.has(name)).map((name) => new ValueInfoProto({ name }));
  return { initializer, input: [...graph.input, ...inputs] };
}

const EXTERNAL = TensorProto.DataLocation.EXTERNAL;

/** Raw data that are not at hand, as if they were in another file. */
function placed(tensor: TensorProto): TensorProto {
  if (!(tensor.rawData instanceof LeftBytes)) return tensor;
  const { rawData: _, ...rest } = tensor;
  return new TensorProto({ ...rest, dataLocation: EXTERNAL, externalData: [{ key: 'location', value: LEFT }] });
}

/** Where they seem to be. */
export const LEFT = '\0left in the file';

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
