import { SparseTensorProto, TensorProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { withFields } from '../../model/document/changed.js';
import { allOf } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { rawDataOf, rawLength } from '../tensor-data.js';
import { bodiesOf, isGraph } from './bodies.js';
import { edit } from './edit/edit.js';
import { graphsUnder } from './edit/graph.js';
import { quoted, refused } from './refuse.js';

/** Options of `stripWeights`. */
export interface StripOptions {
  /** Weights with fewer bytes are kept. Default: 1024. */
  readonly threshold?: number;
}

const STRING = 8;
const MARK = 'weights were left out: sha256-';

/**
 * Removes the large weights of a model. Empty sparse tensors replace them, so the model stays valid and can run, and
 * record the hashes of the weights for `restoreWeights`.
 * @throws SardonyxError INVALID_ARGUMENT for models before IR version 6
 */
export async function stripWeights(model: Model, { threshold = 1024 }: StripOptions = {}): Promise<Model> {
  if (toNumber(model.proto.irVersion) < 6)
    throw refused('stripped weights are stored as sparse initializers, which need IR version 6');
  return edit(model, async (graph) => {
    for (const value of graphsUnder(graph).flatMap(({ constants }) => constants)) {
      const { constant } = value;
      if (!(constant instanceof TensorProto) || constant.dataType === STRING || constant.dims.length === 0) continue;
      if (rawLength(constant) >= Math.max(threshold, 1))
        value.constant = markOf(constant, await hashOf(constant, model));
    }
  });
}

const markOf = ({ name, dataType, dims }: TensorProto, hash: string): SparseTensorProto =>
  new SparseTensorProto({
    values: new TensorProto({ name, dataType, dims: [0], docString: `${MARK}${hash}` }),
    indices: new TensorProto({ dataType: ELEMENTS.int64.onnx, dims: [0] }),
    dims,
  });

async function hashOf(tensor: TensorProto, model: Model): Promise<string> {
  const bytes = await allOf(await rawDataOf(tensor, model));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Restores the weights that `stripWeights` removed, from a model that has them under the same names.
 * @throws SardonyxError INVALID_ARGUMENT if a weight is missing or its contents differ
 */
export async function restoreWeights(model: Model, source: Model): Promise<Model> {
  const graphs = [...bodiesOf(source.proto)].filter(isGraph);
  const weights = new Map(graphs.flatMap(({ initializer }) => initializer.map((tensor) => [tensor.name, tensor])));
  const wrong: string[] = [];
  const restored = await edit(model, async (graph) => {
    for (const value of graphsUnder(graph).flatMap(({ constants }) => constants)) {
      const hash = hashIn(value.constant);
      if (hash === undefined) continue;
      const tensor = weights.get(value.name);
      if (tensor && (await hashOf(tensor, source)) === hash) value.constant = await whole(tensor, source);
      else wrong.push(value.name);
    }
  });
  if (wrong.length === 0) return restored;
  throw new SardonyxError('INTEGRITY', `the source model has no weights ${quoted(wrong)} with the expected contents`);
}

function hashIn(constant: TensorProto | SparseTensorProto | undefined): string | undefined {
  if (!constant || constant instanceof TensorProto) return undefined;
  const { docString = '' } = constant.values ?? {};
  return docString.startsWith(MARK) ? docString.slice(MARK.length) : undefined;
}

const EXTERNAL = 1;

/** Reads external data into the tensor, as the receiving model does not have the file. */
async function whole(tensor: TensorProto, source: Model): Promise<TensorProto> {
  if (tensor.dataLocation !== EXTERNAL) return tensor;
  const rawData = (await rawDataOf(tensor, source)) as Uint8Array<ArrayBuffer>;
  return withFields(tensor, { rawData, externalData: undefined, dataLocation: undefined });
}
