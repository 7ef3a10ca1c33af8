// Answers the checker's part of ONNX's own suites, a line of JSON a request:
// ONNX_JUDGE='node --import tsx …/check-judge.ts' …/onnx-suites/run checker_test.py
import { createInterface } from 'node:readline';
import { CHECK } from './judges/check.js';

interface Request {
  readonly function: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

async function answer(line: string): Promise<object> {
  const request = JSON.parse(line) as Request;
  try {
    const judge = CHECK[request.function];
    if (!judge) throw new Error(`nobody here does ${request.function}`);
    return { ok: await judge(request.arguments) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
