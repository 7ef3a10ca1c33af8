import type { Model } from '../model/document/model.js';
import type { InferenceSession } from '../session/inference-session.js';
import type { SessionOptions } from '../session/options.js';
import { fromExternalData } from './external-data.js';
import { saveModel } from './save-model.js';

/** Creates a session for a document. By default, it is not optimized. */
export async function sessionOf(model: Model, options: SessionOptions = {}): Promise<InferenceSession> {
  const bytes = await saveModel(await fromExternalData(model));
  const { InferenceSession } = await import('../session/inference-session.js');
  return InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled', ...options });
}
