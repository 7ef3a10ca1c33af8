import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skipped } from '../skipped.js';
import { CommandLine } from './command-line.js';
import { COMMANDS } from './commands.js';

const test = suite<{ cli: CommandLine }>('completion');

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

test.before(async (context) => {
  const cli = new CommandLine();
  context.cli = cli;
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(cli.path(`${shell}.script`), await cli.succeed('completion', shell));
  mkdirSync(cli.path('files'));
  for (const name of ['model.onnx', 'photo one.jpg']) writeFileSync(cli.path('files', name), '');
  mkdirSync(cli.path('bin'));
  writeFileSync(cli.path('bin', 'sardonyx'), '#!/bin/sh\nexit 0\n');
  chmodSync(cli.path('bin', 'sardonyx'), 0o755);
});

test.after(({ cli }) => cli.remove());

const LEVELS = ['disabled', 'basic', 'extended', 'layout', 'all'];

/** What bash is offered for the last of these words. */
function offeredByBash(cli: CommandLine, ...words: string[]): string[] {
  const program = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sardonyx 2>/dev/null; declare -p COMPREPLY';
  const args = ['--norc', '-c', program, cli.path('bash.script'), 'sardonyx', ...words];
  const { stdout } = spawnSync('bash', args, { cwd: cli.path('files'), encoding: 'utf8' });
  return Array.from(stdout.matchAll(/\[\d+\]="([^"]*)"/g), ([, word]) => word as string);
}

test('bash is offered commands, options, their choices and files', ({ cli }) => {
  const offered = (...words: string[]) => offeredByBash(cli, ...words);
  assert.equal(offered('').slice(0, COMMANDS.length), COMMANDS);
  assert.equal(offered('insp'), ['inspect']);
  for (const option of ['--threads', '--capture', '--input', '-i', '--debug', '--help'])
    assert.ok(offered('run', '-').includes(option), option);
  assert.equal(offered('bench', '--opt'), ['--optimize']);
  assert.equal(offered('verify', 'x', '--optimize', ''), LEVELS);
  assert.equal(offered('run', '--optimize', '=', 'ba'), ['basic']);
  assert.equal(offered('run', '--fit', '='), ['cover', 'stretch', 'contain']);
  assert.equal(offered('compare', 'm', '--with', ''), ['onnxruntime-node', 'onnxruntime-web']);
  assert.equal(offered('completion', ''), ['bash', 'zsh', 'fish']);
  for (const words of [
    ['run', 'mo'],
    ['inspect', '--rewrites', 'mo'],
    ['optimize', '-o', 'mo'],
    ['--debug', 'run', 'mo'],
  ])
    assert.equal(offered(...words), ['model.onnx']);
  assert.equal(offered('run', 'model.onnx', '-i', 'pho'), ['photo one.jpg']);
  assert.equal(offered('run', 'model.onnx', '-i', 'x', '=', 'pho'), ['photo one.jpg']);
  assert.equal(offered('run', '--seed', ''), []);
});

/** What is typed before the tab key, and the line that it becomes. */
const TYPED: readonly (readonly [string, string])[] = [
  ['sardonyx opti', 'sardonyx optimize'],
  ['sardonyx run --optimize=bas', 'sardonyx run --optimize=basic'],
  ['sardonyx bench --prof', 'sardonyx bench --profile'],
  ['sardonyx run mod', 'sardonyx run model.onnx'],
  ['sardonyx run -i x=pho', 'sardonyx run -i x=photo one.jpg'],
];

/** What a terminal is told after a line is entered. */
const PASTE_ENDS = '\u001b[?2004l';

const BEGIN: Readonly<Record<string, readonly [command: string, setUp: string]>> = {
  bash: ['bash --norc --noprofile -i', 'source ../bash.script'],
  zsh: ['zsh -f -i', 'bindkey -e; autoload -U compinit; compinit -u -D; source ../zsh.script'],
};

for (const [shell, [command, setUp]] of Object.entries(BEGIN)) {
  if (!has(shell) || !has('script')) skipped(`completion in a terminal of ${shell}, which is not here`);
  else
    test(`${shell}, in a terminal, completes what is typed`, ({ cli }) => {
      // Tab; then to the beginning of the line, where "echo" is put before it.
      const lines = TYPED.map(([typed]) => `${typed}\t\x01echo \n`);
      const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
        cwd: cli.path('files'),
        encoding: 'utf8',
        input: `${setUp}\n${lines.join('')}exit\n`,
        env: { ...process.env, PATH: `${cli.path('bin')}:${process.env.PATH}`, TERM: 'xterm', HISTFILE: '' },
      });
      const printed = stdout.split(/\r?\n/).map((line) => line.split(PASTE_ENDS).at(-1)?.trim());
      for (const [, line] of TYPED) assert.ok(printed.includes(line), `${line}\n\n${stdout}`);
    });
}

if (!has('fish')) skipped('completion in fish, which is not here');
else
  test('fish is offered commands, options, their choices and files', ({ cli }) => {
    const offered = (line: string): string[] => {
      const args = ['--no-config', '-c', 'source ../fish.script; complete -C $argv[1]', line];
      const { stdout } = spawnSync('fish', args, { cwd: cli.path('files'), encoding: 'utf8' });
      return stdout.split('\n').flatMap((entry) => entry.split('\t')[0] || []);
    };
    assert.equal(offered('sardonyx ').sort(), [...COMMANDS].sort());
    assert.equal(offered('sardonyx run --optimize ').sort(), [...LEVELS].sort());
    assert.equal(offered('sardonyx run --thr'), ['--threads']);
    assert.equal(offered('sardonyx run mod'), ['model.onnx']);
    assert.equal(offered('sardonyx run -i pho'), ['photo one.jpg']);
    assert.equal(offered('sardonyx completion ').sort(), ['bash', 'fish', 'zsh']);
  });

test.run();
