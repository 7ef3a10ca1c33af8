import { readdirSync, statSync } from 'node:fs';
import { STANDARD, standardInput } from './standard-input.js';
import { UsageError } from './usage-error.js';

/** A model as the command line names it: a path, an address, or the bytes that came through standard input. */
export async function modelSource(argument: string): Promise<string | Uint8Array> {
  if (argument === STANDARD) return standardInput('the model');
  if (statSync(argument, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(folder(argument));
  return argument;
}

function folder(path: string): string {
  const models = readdirSync(path).filter((name) => name.endsWith('.onnx'));
  const shown = models.slice(0, 5).join(', ') + (models.length > 5 ? ' …' : '');
  return `"${path}" is a folder; give an .onnx file${models.length ? `, one of ${shown}` : ''}`;
}
