import { arch, availableParallelism, cpus, platform } from 'node:os';
import { bestVariant } from '../../bindings/features.js';
import { env } from '../session/options.js';

/** The environment of a measurement. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly system: string;
  /** The JavaScript runtime and its version. */
  readonly host: string;
  /** The kernels that sessions use. */
  readonly kernels: string;
}

const HOSTS = [
  ['bun', 'Bun'],
  ['deno', 'Deno'],
  ['node', 'Node'],
] as const;

export function machine(): Machine {
  const { variant } = env.wasm;
  return {
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    system: `${platform()} ${arch()}`,
    host: host(),
    kernels: variant === 'auto' ? bestVariant() : variant,
  };
}

function host(): string {
  const { versions } = process;
  const [key, name] = HOSTS.find(([key]) => versions[key] !== undefined) ?? ['node', 'Node'];
  return `${name} ${versions[key]}`;
}
