import { ModelProto } from '../../build/onnx-reader.js';
import { SardonyxError } from '../errors.js';
import type { Model } from '../graph/graph.js';
import type { ExternalData } from './external-data.js';
import { readFunctions, readOpsets } from './functions.js';
import { type ModelContext, readGraph } from './graphs.js';
import { toNumber } from './int64.js';
import { decode } from './read-protobuf.js';
import { DimSymbols } from './types.js';

/** The newest version of the format that is understood; 1 is the oldest. */
export const MAX_IR_VERSION = 13;

/**
 * Reads an ONNX model. Its tensors are views on `bytes` wherever alignment allows; whatever is malformed is a
 * SardonyxError of code INVALID_MODEL or EXTERNAL_DATA.
 */
export const readModel = (bytes: Uint8Array, options: { readonly externalData?: ExternalData } = {}): Model =>
  modelOf(decodeModel(bytes), options.externalData);

/** The message in a file, if it is an ONNX model at all. */
export function decodeModel(bytes: Uint8Array): ModelProto {
  const proto = decode(ModelProto, bytes, 'ONNX model');
  const irVersion = toNumber(proto.irVersion);
  if (!(irVersion >= 1 && irVersion <= MAX_IR_VERSION)) {
    const found = irVersion === 0 ? 'these bytes are no ONNX model: no IR version' : `the IR version is ${irVersion}`;
    throw new SardonyxError('INVALID_MODEL', `${found}; 1 to ${MAX_IR_VERSION} are known`);
  }
  return proto;
}

export function modelOf(proto: ModelProto, externalData?: ExternalData): Model {
  const irVersion = toNumber(proto.irVersion);
  if (!proto.graph) throw new SardonyxError('INVALID_MODEL', 'the model has no graph');

  const opsets = readOpsets(proto.opsetImport);
  if (opsets.size === 0) {
    if (irVersion >= 3) throw new SardonyxError('INVALID_MODEL', 'the model imports no operator set');
    opsets.set('', 1);
  }
  const context: ModelContext = { external: externalData, symbols: new DimSymbols(), nodes: 0 };
  const graph = readGraph(proto.graph, context);
  return {
    irVersion,
    producer: [proto.producerName, proto.producerVersion].filter(Boolean).join(' '),
    opsets,
    metadata: new Map(proto.metadataProps.map(({ key, value }) => [key, value])),
    functions: readFunctions(proto.functions, context),
    graph,
  };
}
