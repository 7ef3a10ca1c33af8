import * as assert from 'uvu/assert';
import { type ErrorCode, SardonyxError } from '../src/base/errors.js';

/** `run` must throw a SardonyxError of that code whose message matches. */
export function expectError(code: ErrorCode, message: RegExp, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    checkError(error, code, message);
    return;
  }
  assert.unreachable(`expected ${code} ${message}`);
}

/** The same for a promise. */
export async function expectRejection(code: ErrorCode, message: RegExp, promise: Promise<unknown>): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  checkError(error, code, message);
}

function checkError(error: unknown, code: ErrorCode, message: RegExp): void {
  assert.instance(error, SardonyxError, `${code} ${message} expected, not ${(error as Error)?.stack}`);
  const text = (error as SardonyxError).message;
  assert.is((error as SardonyxError).code, code, text);
  assert.match(text, message, `expected ${message}, got: ${text}`);
  const page = `/docs/errors/${code.toLowerCase().replaceAll('_', '-')}.md`;
  assert.ok(Object.entries(error as SardonyxError).some(([key, value]) => key === 'help' && value.endsWith(page)));
}
