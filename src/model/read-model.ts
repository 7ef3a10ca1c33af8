import { type GraphProto, ModelProto } from '../../build/onnx-reader.js';
import { SardonyxError } from '../base/errors.js';
import type { Model } from '../graph/graph.js';
import type { ExternalData } from './external-data.js';
import { readFunctions, readOpsets } from './functions.js';
import { type ModelContext, readGraph } from './graphs.js';
import { toNumber } from './int64.js';
import { decode } from './read-protobuf.js';
import { DimSymbols } from './types.js';

/** The newest supported IR version; 1 is the oldest. */
export const MAX_IR_VERSION = 13;

/** Reads an ONNX model. Tensors are views on `bytes` where alignment allows. Malformed models throw INVALID_MODEL or EXTERNAL_DATA. */
export const readModel = (bytes: Uint8Array, options: { readonly externalData?: ExternalData } = {}): Model =>
  modelOf(decodeModel(bytes), options.externalData);

/** A message that is a model. */
export type DecodedModel = ModelProto & { readonly graph: GraphProto };

/** Decodes and checks the message in a model file. */
export function decodeModel(bytes: Uint8Array): DecodedModel {
  const proto = decode(ModelProto, bytes, 'ONNX model');
  const { irVersion, graph, opsetImport } = proto;
  const version = toNumber(irVersion);
  const refuse = (complaint: string) => new SardonyxError('INVALID_MODEL', complaint);
  if (version === 0) throw refuse('the model has no IR version');
  if (!(version >= 1 && version <= MAX_IR_VERSION))
    throw refuse(`the IR version ${version} is not supported; 1 to ${MAX_IR_VERSION} are`);
  if (!graph) throw refuse('the model has no graph');
  if (opsetImport.length === 0 && version >= 3) throw refuse('the model has no opset_import');
  return Object.assign(proto, { graph });
}

export function modelOf(proto: DecodedModel, externalData?: ExternalData): Model {
  const opsets = readOpsets(proto.opsetImport);
  if (opsets.size === 0) opsets.set('', 1);
  const context: ModelContext = { external: externalData, symbols: new DimSymbols(), nodes: 0 };
  const graph = readGraph(proto.graph, context);
  return {
    irVersion: toNumber(proto.irVersion),
    producer: [proto.producerName, proto.producerVersion].filter(Boolean).join(' '),
    opsets,
    metadata: new Map(proto.metadataProps.map(({ key, value }) => [key, value])),
    functions: readFunctions(proto.functions, context),
    graph,
  };
}
