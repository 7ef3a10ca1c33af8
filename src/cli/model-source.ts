import { type Io, STANDARD } from './io.js';

/** A model as the command line names it: a path, an address, or the bytes that came through standard input. */
export const modelSource = async (io: Io, argument: string): Promise<string | Uint8Array> =>
  argument === STANDARD ? io.standardInput('the model') : argument;
