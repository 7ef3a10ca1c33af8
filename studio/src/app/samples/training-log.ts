import { createLog } from 'sardonyx/log';
import { normal, random } from './random.js';

const STEPS = 200;
const BEGUN = 1_700_000_000;

/** A log of one run: loss and accuracy at each step, weights at every twentieth. */
export async function trainingLog(): Promise<File> {
  const next = random(7);
  const log = createLog(undefined, { clock: () => BEGUN });
  for (let step = 0; step < STEPS; step++) {
    const at = { wallTime: BEGUN + step };
    const loss = 2.3 * Math.exp(-step / 45) + 0.08 + 0.05 * next();
    log.scalar('loss/train', loss, step, at);
    log.scalar('accuracy', 1 - 0.9 * Math.exp(-step / 50) - 0.02 * next(), step, at);
    if (step % 20 !== 0) continue;
    const spread = 0.2 + step / 400;
    log.histogram(
      'weights/fc',
      Float32Array.from({ length: 500 }, () => spread * normal(next)),
      step,
      at,
    );
  }
  await log.close();
  return new File([log.bytes() as Uint8Array<ArrayBuffer>], 'events.out.tfevents.1700000000.sample');
}
