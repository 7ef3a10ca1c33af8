import { SardonyxError } from '../../base/errors.js';
import { type FolderSource, openFolder } from '../folder/open-folder.js';
import { trialsIn } from './trials-in.js';
import { type Verification, type VerifyOptions, verifyTrials } from './verify-trials.js';

/**
 * Runs the test data that come with models, and says how far the outputs are from the expected ones. A folder is laid out as in the
 * ONNX Model Zoo, as ONNX's light models, or is a folder of such folders.
 * @throws SardonyxError INVALID_VALUE where there is nothing to run, ABORTED, and what `openFolder` throws
 */
export async function verifyModels(source: FolderSource, options: VerifyOptions = {}): Promise<Verification> {
  const folder = await openFolder(source);
  const trials = await trialsIn(folder);
  if (trials.length > 0) return verifyTrials(trials, options);
  throw new SardonyxError(
    'INVALID_VALUE',
    `${folder.name ? `"${folder.name}"` : 'the folder'} holds no model with test data: an .onnx file beside test_data_set_0 with input_0.pb … and output_0.pb …`,
  );
}
