import { SardonyxError } from '../../base/errors.js';
import { SHOWN } from '../../base/first-bytes.js';
import { noModel } from '../no-model.js';
import { Malformed } from '../skeleton.js';
import { faultIn } from './fault.js';
import type { LeftFile } from './left-bytes.js';

const isRefused = (cause: unknown) =>
  cause instanceof Malformed || (cause instanceof SardonyxError && cause.code === 'INVALID_MODEL');

/**
 * The error for a file that cannot be read; if it is not a model, with the position of the first fault. `reach` is the end of the last
 * started field.
 */
export async function located(cause: unknown, file: LeftFile, name: string, reach = file.size): Promise<unknown> {
  if (!isRefused(cause)) return cause;
  const fault = await faultIn(file);
  const where = fault && `at byte ${fault.offset}${fault.path && `, in ${fault.path}`}: ${fault.reason}`;
  if (!where && cause instanceof SardonyxError) return cause;
  const head = await file.range(0, Math.min(file.size, SHOWN));
  return noModel({ name, head, size: file.size, reach }, where ?? (cause as Error).message, cause);
}
