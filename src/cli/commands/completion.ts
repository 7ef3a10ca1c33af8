import { Argument, Command } from '@commander-js/extra-typings';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { completedBy } from '../completion/words.js';
import { zshScript } from '../completion/zsh.js';
import type { Io } from '../io.js';

const EXAMPLES = `
The script completes commands, options, their choices and file names.

Examples:
  sardonyx completion bash >> ~/.bashrc
  sardonyx completion zsh > ~/.zfunc/_sardonyx       a folder of $fpath
  sardonyx completion fish > ~/.config/fish/completions/sardonyx.fish`;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

/** @param program all of it, whose commands are completed */
export const completionCommand = (io: Io, program: () => Promise<Command>) =>
  new Command('completion')
    .description('Print a script that completes what is typed in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell) => {
      io.host.stdout.write(SCRIPTS[shell](completedBy(await program())));
    });
