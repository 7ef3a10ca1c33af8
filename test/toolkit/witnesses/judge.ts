import type { Model } from '../../../src/tools/index.js';
import { saveModel } from '../../../src/tools/index.js';
import { open } from '../../session/run-model.js';
import { type Run, SAMPLES, SCORES } from './scores.js';
import { type Name, type Witness, witness } from './witness.js';

/** A witness with what to calibrate by. */
export async function witnessed(name: Name) {
  const found: Witness = await witness(name);
  return { witness: found, feeds: SAMPLES[name](found).map((x) => ({ x })) };
}

/** How well a model does in place of a witness, by all that it is judged by or less. */
export async function scoreOf(name: Name, model: Model, by?: Witness): Promise<number> {
  const session = await open(await saveModel(model));
  try {
    return await SCORES[name](by ?? (await witness(name)), session.run.bind(session) as unknown as Run);
  } finally {
    await session.release();
  }
}
