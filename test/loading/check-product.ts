import * as assert from 'uvu/assert';
import { type DataSource, InferenceSession } from '../../src/index.js';
import { expected, feeds } from './models.js';

/** Loads the product from there, and holds what it computes to the plain loop. */
export async function check(source: DataSource): Promise<void> {
  const session = await InferenceSession.create(source);
  const { y } = await session.run(feeds);
  assert.equal((y as { data: Float32Array }).data, expected);
  await session.release();
}
