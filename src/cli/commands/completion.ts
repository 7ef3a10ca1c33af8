import { Argument, type Command } from '@commander-js/extra-typings';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { completedBy } from '../completion/words.js';
import { zshScript } from '../completion/zsh.js';
import type { Io } from '../io.js';
import { newCommand } from '../new-command.js';

const EXAMPLES = [
  'completion bash >> ~/.bashrc',
  'completion zsh > ~/.zfunc/_sardonyx       # a folder in $fpath',
  'completion fish > ~/.config/fish/completions/sardonyx.fish',
];

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

/**
 * The command that prints completion scripts.
 * @param program the program with all commands
 */
export const completionCommand = (io: Io, program: () => Promise<Command>) =>
  newCommand('completion', 'Print a script that completes commands, options and file names in a shell.', EXAMPLES)
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .action(async (shell) => {
      io.host.stdout.write(SCRIPTS[shell](completedBy(await program())));
    });
