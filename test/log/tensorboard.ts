import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CANDIDATES = [process.env.SARDONYX_TENSORBOARD_PYTHON, 'python3'].filter((name) => name !== undefined);

/** A Python that has TensorBoard, if there is one: the variable names its interpreter. */
export const python = (): string | undefined =>
  CANDIDATES.find((name) => spawnSync(name, ['-c', 'import tensorboard']).status === 0);

/** What TensorBoard's EventAccumulator finds in a folder. */
export interface Read {
  /** Steps and values. */
  readonly scalars: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  /** How many values each holds. */
  readonly histograms: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** Width and height. */
  readonly images: Readonly<Record<string, readonly [number, number]>>;
  readonly hparams: Readonly<Record<string, unknown>>;
}

export function readByTensorBoard(interpreter: string, folder: string): Read {
  const script = fileURLToPath(new URL('read.py', import.meta.url));
  const { stdout, stderr, status } = spawnSync(interpreter, [script, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
