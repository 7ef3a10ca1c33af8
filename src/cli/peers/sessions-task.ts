import type { Feeds } from '../../session/feeds.js';
import type { HostValue } from '../../tensor/tensor-value.js';

/** What a process is started for that makes sessions of one runtime. */
export interface SessionsTask {
  /** The module's file; null for Sardonyx itself. */
  readonly sessionsOf: string | null;
}

/** What it is asked for, one after the other. */
export type Request =
  | { readonly call: 'create'; readonly model: Uint8Array; readonly options: object | undefined }
  | { readonly call: 'run'; readonly feeds: Feeds }
  | { readonly call: 'release' };

/** Errors as they can be sent. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code: unknown;
}

export type Reply = { readonly values: Readonly<Record<string, HostValue>> } | { readonly error: SentError };
