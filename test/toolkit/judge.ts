// Answers ONNX's own tests of its tools, a line of JSON for a line of JSON: shared/onnx-suites/README.md has the protocol.
// usage: npm run onnx-suites -- [TEST-FILE…]
import { createInterface } from 'node:readline';
import { CHECK } from './judges/check.js';
import { convertJudge } from './judges/convert.js';
import { FILES } from './judges/files.js';
import { inferJudge } from './judges/infer.js';
import { inlineJudge } from './judges/inline.js';
import { type Judge, toBase64 } from './judges/judge-of.js';
import { textJudge } from './judges/text.js';

/** What is asked, by name; a family of functions a file. */
const JUDGE: Judge = { ...textJudge, ...inferJudge, ...CHECK, ...FILES, ...convertJudge, ...inlineJudge };

interface Request {
  readonly function: string;
  readonly arguments: Record<string, unknown>;
}

async function answer({ function: name, arguments: given }: Request): Promise<object> {
  const asked = JUDGE[name];
  if (!asked) return { error: `${name} is not there yet` };
  try {
    return { ok: plain(await asked(given)) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** Messages travel as base64. */
const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? toBase64(value) : Array.isArray(value) ? value.map(plain) : (value ?? null);

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as Request))}\n`);
