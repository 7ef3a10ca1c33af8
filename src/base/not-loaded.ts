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

/** Why a file of the package is not there, by what was thrown first; `otherwise` where that does not say. */
export function codeOfMissing(thrown: unknown, otherwise: ErrorCode): ErrorCode {
  const { code = '', cause } = thrown as { readonly code?: unknown; readonly cause?: unknown };
  const known = CODES[String(code)];
  if (known) return known;
  return typeof cause === 'object' && cause !== null ? codeOfMissing(cause, otherwise) : otherwise;
}

/** The same of a script that is loaded on demand: pages fetch them, and other hosts may load none. */
export const codeOfMissingScript = (thrown: unknown): ErrorCode =>
  codeOfMissing(thrown, fetchesScripts() ? 'DOWNLOAD' : 'UNSUPPORTED_PLATFORM');

const fetchesScripts = () =>
  ('document' in globalThis || 'WorkerGlobalScope' in globalThis) && !('ServiceWorkerGlobalScope' in globalThis);
