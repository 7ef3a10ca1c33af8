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

/** The model in bytes, which it keeps: they are what is saved as long as nothing is changed. */
export const modelOf = (bytes: Uint8Array, files: Files = NO_FILES): Model => ({
  proto: frozen(decodeExactly(ModelProto, bytes, 'ONNX model')),
  original: bytes,
  files,
});

/** A message as a model, which was not in a file yet. */
export const modelFrom = (proto: ModelProto): Model => ({ proto: frozen(proto), files: NO_FILES });

/** The model with another message: it is no longer what was loaded. */
export const withProto = (model: Model, proto: ModelProto): Model =>
  proto === model.proto ? model : { ...model, proto: frozen(proto), original: undefined };
