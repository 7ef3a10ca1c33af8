import { builtin } from '../../bindings/builtin.js';
import { ModelProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { type Encoded, encodeParts, MOST_BYTES } from '../model/document/encode.js';
import { piecesOf, sizeOf } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';

/** The bytes of a model; those that it came from, if nothing was changed. */
export async function saveModel(model: Model): Promise<Uint8Array>;
/** Writes a model to a path, which has it whole or not at all. */
export async function saveModel(model: Model, path: string): Promise<undefined>;
export async function saveModel(model: Model, path?: string): Promise<Uint8Array | undefined> {
  const encoded = encodedModel(model);
  if (path === undefined) return inMemory(encoded);
  await write(path, encoded);
  return undefined;
}

function encodedModel({ original, proto }: Model): Encoded {
  if (original) return { size: sizeOf(original), parts: [original] };
  const encoded = encodeParts(ModelProto, proto);
  if (encoded.size <= MOST_BYTES) return encoded;
  throw new SardonyxError('LIMIT', `the model takes ${encoded.size} bytes; protobuf has ${MOST_BYTES} at most`);
}

async function inMemory({ size, parts }: Encoded): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts)
    for await (const piece of piecesOf(part)) {
      bytes.set(piece, at);
      at += piece.length;
    }
  return bytes;
}

/** What is being replaced may be what is read. */
async function write(path: string, { parts }: Encoded): Promise<void> {
  const fs = builtin('fs');
  if (!fs) throw new SardonyxError('UNSUPPORTED_PLATFORM', `cannot write "${path}": there is no file system here`);
  const partial = `${path}.${Date.now()}.partial`;
  try {
    for (const part of parts) for await (const piece of piecesOf(part)) fs.appendFileSync(partial, piece);
    fs.renameSync(partial, path);
  } catch (cause) {
    fs.rmSync(partial, { force: true });
    if (cause instanceof SardonyxError) throw cause;
    throw new SardonyxError('INVALID_ARGUMENT', `cannot write "${path}": ${(cause as Error).message}`, {}, { cause });
  }
}
