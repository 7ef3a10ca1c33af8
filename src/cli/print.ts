import { inChunks, jsonText } from './json.js';
import { endProgress } from './progress.js';

export function print(text: string): void {
  endProgress();
  process.stdout.write(`${text}\n`);
}

/** Says something beside the results, on standard error. */
export function note(text: string): void {
  endProgress();
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  endProgress();
  for (const chunk of inChunks(jsonText(value))) process.stdout.write(chunk);
  process.stdout.write('\n');
}
