import { readFileSync } from 'node:fs';
import { createLog } from '../../src/log/index.js';

/** What write.py logs, and this does too. */
const given = JSON.parse(readFileSync(new URL('written/values.json', import.meta.url), 'utf8'));

/** The same by TensorBoard's own messages and record writer. */
export const expected: Uint8Array = readFileSync(new URL('written/log.tfevents', import.meta.url));

export async function written(): Promise<Uint8Array> {
  let now = given.wallTime;
  const log = createLog(undefined, { clock: () => now });
  log.hparams(given.hparams, { metrics: given.metrics });
  for (const [i, value] of given.scalars.entries()) log.scalar('loss/test', value, given.steps[i]);
  log.histogram('weights', given.histogram, 3, { buckets: 6 });
  log.histogram('same', given.same, 3, { buckets: 6 });
  log.image('picture', new Uint8Array(Buffer.from(given.png, 'base64')), 4);
  log.text('note', given.text, 5);
  log.prCurve('curve', given.labels, given.predictions, 6, { thresholds: 11 });
  now = given.endTime;
  await log.close();
  return log.bytes();
}
