import type { Feeds } from '../../session/feeds.js';
import type { HostValue } from '../../tensor/tensor-value.js';

/** Starts a process for the sessions of one runtime. */
export interface SessionsTask {
  /** The module's file; null for Sardonyx itself. */
  readonly sessionsOf: string | null;
}

/** Requests to the process, one after another. */
export type Request =
  | { readonly call: 'create'; readonly model: Uint8Array; readonly options: object | undefined }
  | { readonly call: 'run'; readonly feeds: Feeds }
  | { readonly call: 'release' };

/** An error in a form that messages can carry. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code: unknown;
}

export type Reply = { readonly values: Readonly<Record<string, HostValue>> } | { readonly error: SentError };
