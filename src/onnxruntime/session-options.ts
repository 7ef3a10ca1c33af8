import { warnOnce } from '../base/warn-once.js';
import type { SessionOptions as OwnOptions } from '../session/options.js';
import { externalFiles } from './external-data.js';
import type { SessionTypes } from './session-types.js';

/** The options for Sardonyx's own session. Shared options have the same names; others of onnxruntime have no effect. */
export function ownOptions(options: SessionTypes.SessionOptions): OwnOptions {
  const { executionProviders, preferredOutputLocation, externalData, ...rest } = options;
  checkOutputLocation(preferredOutputLocation ?? 'cpu');
  return { looseSymbols: true, ...rest, ...(externalData && { externalData: externalFiles(externalData) }) };
}

/** Without a GPU, onnxruntime-web has no other location for outputs either. */
function checkOutputLocation(preferred: NonNullable<SessionTypes.SessionOptions['preferredOutputLocation']>): void {
  const locations = typeof preferred === 'string' ? [preferred] : Object.values(preferred);
  const other = locations.find((location) => !location.startsWith('cpu'));
  if (other) warnOnce(`preferredOutputLocation "${other}": outputs are on the CPU`);
}
