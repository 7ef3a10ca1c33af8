import { STANDARD, standardInput } from './standard-input.js';

/** A model as the command line names it: a path, an address, or the bytes that came through standard input. */
export const modelSource = async (argument: string): Promise<string | Uint8Array> =>
  argument === STANDARD ? standardInput('the model') : argument;
