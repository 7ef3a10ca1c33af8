import { UsageError } from './usage-error.js';

/** What stands for standard input, or output, in place of a file. */
export const STANDARD = '-';

let taken: string | undefined;

/** All bytes of standard input, for `purpose`; it can be read once only. */
export async function standardInput(purpose: string): Promise<Uint8Array> {
  if (taken) throw new UsageError(`standard input is ${taken} already; give a file here`);
  taken = purpose;
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
