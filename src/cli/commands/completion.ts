import { Argument, Command } from '@commander-js/extra-typings';

const EXAMPLES = `
The script completes commands, options, their choices and file names.

Examples:
  sardonyx completion bash >> ~/.bashrc
  sardonyx completion zsh > ~/.zfunc/_sardonyx       a folder of $fpath
  sardonyx completion fish > ~/.config/fish/completions/sardonyx.fish`;

const SCRIPTS = {
  bash: async () => (await import('../completion/bash.js')).bashScript,
  zsh: async () => (await import('../completion/zsh.js')).zshScript,
  fish: async () => (await import('../completion/fish.js')).fishScript,
};

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

const command = new Command('completion')
  .description('Print a script that completes what is typed in a shell.')
  .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
  .addHelpText('after', EXAMPLES);

export const completionCommand = command.action(async (shell) => {
  const { completedBy } = await import('../completion/words.js');
  const script = await SCRIPTS[shell]();
  process.stdout.write(script(completedBy(command.parent as unknown as Command)));
});
