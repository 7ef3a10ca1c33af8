import type { ErrorCode } from './errors.js';

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'FILE_NOT_FOUND',
  ENOTDIR: 'FILE_NOT_FOUND',
  ERR_MODULE_NOT_FOUND: 'FILE_NOT_FOUND',
  MODULE_NOT_FOUND: 'FILE_NOT_FOUND',
  EACCES: 'FILE_UNREADABLE',
  EISDIR: 'FILE_UNREADABLE',
  EPERM: 'FILE_UNREADABLE',
  DOWNLOAD: 'DOWNLOAD',
};

/** The error code for a file of the package that failed to load, from the error or its causes, or else `otherwise`. */
export function codeOfMissing(thrown: unknown, otherwise: ErrorCode): ErrorCode {
  const { code = '', cause } = thrown as { readonly code?: unknown; readonly cause?: unknown };
  const known = CODES[String(code)];
  if (known) return known;
  return typeof cause === 'object' && cause !== null ? codeOfMissing(cause, otherwise) : otherwise;
}

/** The same for a script that is loaded on demand. Pages fetch scripts; other hosts may not support loading any. */
export const codeOfMissingScript = (thrown: unknown): ErrorCode =>
  codeOfMissing(thrown, fetchesScripts() ? 'DOWNLOAD' : 'UNSUPPORTED_PLATFORM');

const fetchesScripts = () =>
  ('document' in globalThis || 'WorkerGlobalScope' in globalThis) && !('ServiceWorkerGlobalScope' in globalThis);
