import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifestAt = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const { name, scripts, devDependencies } = manifestAt('');
const { bin: studio } = manifestAt('studio');

/** The commands of a block for a shell, word by word, without comments; what is quoted is one word. */
export const commandsOf = (code: string): string[][] =>
  code
    .split('\n')
    .flatMap((line) =>
      line
        .replace(/'[^']*'/g, 'QUOTED')
        .replace(/(^|\s)#.*/, '')
        .split(/&&|\|/),
    )
    .map((command) =>
      command
        .trim()
        .replace(/^([A-Z_]+=\S+\s+)+/, '')
        .split(/\s+/),
    )
    .filter(([program]) => program);

/** What is wrong with a command; undefined where it exists as it is written. */
export type Check = (words: readonly string[]) => string | undefined;

/** The options of each command, as the completion for fish lists them. */
function optionsByCommand(cli: string): Readonly<Record<string, readonly string[]>> {
  const { stdout } = spawnSync(process.execPath, [cli, 'completion', 'fish'], { encoding: 'utf8' });
  const options: Record<string, string[]> = {};
  for (const [, command = '', names = ''] of stdout.matchAll(
    / '__fish_seen_subcommand_from (\S+)'(.*?)(?: -d .*)?$/gm,
  )) {
    options[command] ??= [];
    for (const [, dash, name] of names.matchAll(/ -([sl]) (\S+)/g))
      options[command].push(`${dash === 's' ? '-' : '--'}${name}`);
  }
  return options;
}

/** Options are those that the command has; its arguments are whoever's files. */
function sardonyx(cli: string): Check {
  const known = optionsByCommand(cli);
  return ([command = '', ...words]) => {
    if (!known[command]) return `there is no command ${command}`;
    const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] as string);
    const unknown = options.find((option) => !known[command]?.includes(option));
    return unknown && `${command} has no option ${unknown}`;
  };
}

/** What a reader's own program is called. */
const THEIRS = 'app.js';

/** Programs that are not of this package. */
const OTHERS = ['cat', 'cd', 'git', 'jq', 'mkdir', 'optimum-cli', 'pip', 'python'];

const NPM: Readonly<Record<string, Check>> = {
  ci: () => undefined,
  init: () => undefined,
  pkg: () => undefined,
  install: ([what]) => (what === name || what?.endsWith(`/build/${name}.tgz`) ? undefined : `npm install ${what}`),
  test: (words) => (scripts.test && words.length !== 1 ? undefined : `npm test ${words}`),
  run: ([script = '']) => (scripts[script] ? undefined : `there is no script ${script}`),
};

export function checkCommand(cli: string): Check {
  const own = sardonyx(cli);
  const programs: Readonly<Record<string, Check>> = {
    npm: ([command = '', ...words]) => (NPM[command] ? NPM[command](words) : `npm ${command} is not known here`),
    npx: ([program = '', ...words]) =>
      program === name
        ? own(words)
        : devDependencies[program] || studio[program] || program === 'vite'
          ? undefined
          : `npx ${program}`,
    curl: (words) => (URL.canParse(words.at(-1) ?? '') ? undefined : `curl ${words}`),
    node: (words) => {
      const script = words.find((word) => !word.startsWith('-')) ?? '';
      const places = ['', 'examples/recipes'].map((folder) => join(root, folder, script));
      return script === THEIRS || places.some((place) => existsSync(place)) ? undefined : `there is no ${script}`;
    },
    sardonyx: own,
    ...Object.fromEntries(OTHERS.map((program) => [program, () => undefined])),
  };
  return ([program = '', ...words]) => (programs[program] ? programs[program](words) : `${program} is not known here`);
}
