import { PEER_PROCESS } from '../../src/cli/peers/child.js';
import { program } from '../../src/cli/program.js';

/** The commands that people see, in the order of `--help`. */
export const COMMANDS = (await program()).commands
  .map((command) => command.name())
  .filter((name) => name !== PEER_PROCESS);
