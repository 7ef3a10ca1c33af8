import { SardonyxError } from '../errors.js';
import type { SessionOptions as OwnOptions } from '../session/options.js';
import { externalFiles } from './external-data.js';
import type { InferenceSession } from './inference-session.js';

/** The options of Sardonyx's own session among those of onnxruntime; what both have bears the same name. */
export async function ownOptions(options: InferenceSession.SessionOptions): Promise<OwnOptions> {
  const { graphOptimizationLevel, maxRewrites, explainRewrites, freeDimensionOverrides, guardBytes } = options;
  const { externalData = [], intraOpNumThreads, enableProfiling } = options;
  checkOutputLocation(options.preferredOutputLocation);
  return {
    ...(graphOptimizationLevel && { graphOptimizationLevel }),
    ...(maxRewrites !== undefined && { maxRewrites }),
    ...(explainRewrites && { explainRewrites }),
    ...(freeDimensionOverrides && { freeDimensionOverrides }),
    ...(guardBytes && { guardBytes }),
    ...(intraOpNumThreads !== undefined && { intraOpNumThreads }),
    ...(enableProfiling && { enableProfiling }),
    ...(externalData.length > 0 && { externalData: await externalFiles(externalData) }),
  };
}

function checkOutputLocation(preferred: InferenceSession.SessionOptions['preferredOutputLocation'] = {}): void {
  const locations = typeof preferred === 'string' ? [preferred] : Object.values(preferred);
  const other = locations.find((location) => location !== 'cpu' && location !== 'cpu-pinned');
  if (other !== undefined)
    throw new SardonyxError('INVALID_ARGUMENT', `preferredOutputLocation must be "cpu", not "${other}"`);
}
