import { hinted } from '../advice/hinted.js';
import { SardonyxError } from '../base/errors.js';
import type { Suspect } from '../base/first-bytes.js';

/** The error for a file that is not a model; src/advice identifies the file when it is loaded. */
export const noModel = (suspect: Suspect, reason = 'not a protobuf message', cause?: unknown): SardonyxError =>
  hinted(
    new SardonyxError('INVALID_MODEL', `cannot read ${suspect.name} as an ONNX model: ${reason}`, {}, { cause }),
    ({ identify }) => identify(suspect, reason),
  );
