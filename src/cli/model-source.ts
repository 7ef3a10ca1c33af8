import { type Io, STANDARD } from './io.js';

/** The model that an argument names: a path, a URL, or the bytes of standard input. */
export const modelSource = async (io: Io, argument: string): Promise<string | Uint8Array> =>
  argument === STANDARD ? io.standardInput('the model') : argument;
