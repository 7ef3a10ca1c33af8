import { ModelProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { decodeExactly } from '../model/document/decode.js';
import { frozen } from '../model/document/frozen.js';
import type { Files, Model } from '../model/document/model.js';

export const NO_FILES: Files = async (path) => {
  throw new SardonyxError(
    'EXTERNAL_DATA',
    `cannot find the file ${JSON.stringify(path)}: the model was not loaded from a folder`,
  );
};

/** Decodes a model and keeps its bytes, which are saved as long as the model is unchanged. */
export const modelOf = (bytes: Uint8Array, files: Files = NO_FILES): Model => ({
  proto: frozen(decodeExactly(ModelProto, bytes, 'ONNX model')),
  original: bytes,
  files,
});

/** Wraps a message that does not come from a file. */
export const modelFrom = (proto: ModelProto): Model => ({ proto: frozen(proto), files: NO_FILES });

/** Replaces the message of a model. A changed model no longer has its original bytes. */
export const withProto = (model: Model, proto: ModelProto): Model =>
  proto === model.proto ? model : { ...model, proto: frozen(proto), original: undefined };
