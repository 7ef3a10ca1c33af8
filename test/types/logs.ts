// Uses of sardonyx/log that must compile. Checked, not run.
import { Tensor } from 'sardonyx';
import {
  type CollectedLog,
  createLog,
  type HyperParameters,
  type Log,
  type LogPicture,
  type LogTarget,
} from 'sardonyx/log';

export const targets = (
  stream: WritableStream<Uint8Array>,
  file: FileSystemFileHandle,
  folder: FileSystemDirectoryHandle,
): LogTarget[] => ['runs/first', new URL('file:///runs/first'), stream, file, folder];

export const pictures = (data: ImageData, png: Uint8Array): LogPicture[] => [
  data,
  png,
  { data: new Uint8Array(4), width: 2, height: 2 },
];

export async function logged(target: LogTarget, values: HyperParameters): Promise<Uint8Array> {
  const log: Log = createLog(target, { clock: () => 0 });
  log.scalar('loss', new Tensor('float32', [1], []), 0, { wallTime: 1 });
  log.scalar('count', 3n, 0);
  log.histogram('w', new Tensor('int64', [1n]), 0, { buckets: 10 });
  log.histogram('w', [1, 2], 0);
  log.prCurve('cat', [true, false], Float64Array.of(0.5, 0.25), 0, { thresholds: 11 });
  log.hparams(values, { metrics: ['loss'] });
  await log.close();
  const collected: CollectedLog = createLog();
  // @ts-expect-error: only what has no target is collected
  log.bytes();
  return collected.bytes();
}
