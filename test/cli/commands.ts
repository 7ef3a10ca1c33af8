import { openIo } from '../../src/cli/io.js';
import { PEER_PROCESS } from '../../src/cli/peers/child.js';
import { program } from '../../src/cli/program.js';
import { capturingHost } from './command-line.js';

/** The commands that people see, in the order of `--help`. */
export const COMMANDS = (await program(openIo(capturingHost('').host))).commands
  .map((command) => command.name())
  .filter((name) => name !== PEER_PROCESS);
