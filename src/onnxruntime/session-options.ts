import { SardonyxError } from '../errors.js';
import type { SessionOptions as OwnOptions } from '../session/options.js';
import { externalFiles } from './external-data.js';
import type { InferenceSession } from './inference-session.js';

/** The options for Sardonyx's own session; what both know bears the same name, and what only onnxruntime knows has no effect. */
export async function ownOptions(options: InferenceSession.SessionOptions): Promise<OwnOptions> {
  const { executionProviders, preferredOutputLocation, externalData = [], ...rest } = options;
  checkOutputLocation(preferredOutputLocation);
  return externalData.length > 0 ? { ...rest, externalData: await externalFiles(externalData) } : rest;
}

function checkOutputLocation(preferred: InferenceSession.SessionOptions['preferredOutputLocation'] = {}): void {
  const locations = typeof preferred === 'string' ? [preferred] : Object.values(preferred);
  const other = locations.find((location) => location !== 'cpu' && location !== 'cpu-pinned');
  if (other !== undefined)
    throw new SardonyxError('INVALID_ARGUMENT', `preferredOutputLocation must be "cpu", not "${other}"`);
}
