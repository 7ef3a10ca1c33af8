import { SardonyxError } from '../../base/errors.js';
import { type FolderSource, openFolder } from '../folder/open-folder.js';
import { trialsIn } from './trials-in.js';
import { type Verification, type VerifyOptions, verifyTrials } from './verify-trials.js';

/**
 * Runs models on their test data and compares the outputs with the expected ones. The folder has the layout of the ONNX
 * Model Zoo or of ONNX's light models, or contains such folders.
 * @throws SardonyxError INVALID_VALUE if there are no models with test data, ABORTED, and the errors of `openFolder`
 */
export async function verifyModels(source: FolderSource, options: VerifyOptions = {}): Promise<Verification> {
  const folder = await openFolder(source);
  const trials = await trialsIn(folder);
  if (trials.length > 0) return verifyTrials(trials, options);
  throw new SardonyxError(
    'INVALID_VALUE',
    `${folder.name ? `"${folder.name}"` : 'the folder'} contains no model with test data; expected an .onnx file and, in the same folder, test_data_set_0 with input_0.pb, output_0.pb …`,
  );
}
