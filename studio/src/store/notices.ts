import { announced, type Notice, notices, type Task, tasks } from './state.js';
import { isAbort, unlessAborted } from './unless-aborted.js';

let lastId = 0;

/** Tells people something that stays until they dismiss it. */
export function note(text: string, detail?: string): void {
  tell({ id: ++lastId, kind: 'note', text, detail });
}

/** Shows an error: what went wrong, and below it what it says. */
export function report(text: string, error: unknown): void {
  const detail = error instanceof Error ? error.message : `${error}`;
  tell({ id: ++lastId, kind: 'error', text, detail });
}

/** What is there already is said anew, not twice. */
function tell(notice: Notice): void {
  const { kind, text, detail } = notice;
  const isOther = (each: Notice) => each.kind !== kind || each.text !== text || each.detail !== detail;
  notices.value = [...notices.value.filter(isOther), notice];
}

/** Tells screen readers what everybody else sees; '' is nothing. */
export function announce(text: string): void {
  if (text !== '') announced.value = { id: ++lastId, text };
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}

export interface TaskControl {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/** Parts of a task after each of which screen readers are told. */
const PARTS = 4;

/**
 * Runs work that takes long under a title, with progress and a way to cancel; errors but an abort are reported. What came of it is
 * announced as `says` has it. Whether or not the work heeds the signal, cancelled it is over for whoever waits.
 */
export async function task<T>(
  title: string,
  work: (control: TaskControl) => Promise<T>,
  says: (found: T) => string = () => `${title}: done`,
): Promise<T | undefined> {
  const id = ++lastId;
  const abort = new AbortController();
  const show = (change: Partial<Task>) => {
    tasks.value = tasks.value.map((each) => (each.id === id ? { ...each, ...change } : each));
  };
  let told = 0;
  const progress = (done: number) => {
    show({ done });
    const part = Math.floor(done * PARTS);
    if (part > told && part < PARTS) announce(`${title}: ${(100 * part) / PARTS} %`);
    told = Math.max(told, part);
  };
  tasks.value = [...tasks.value, { id, title, cancel: () => abort.abort() }];
  try {
    const found = await unlessAborted(work({ signal: abort.signal, progress }), abort.signal);
    announce(says(found));
    return found;
  } catch (error) {
    if (abort.signal.aborted || isAbort(error)) announce(`${title}: cancelled`);
    else report(`${title} failed`, error);
    return undefined;
  } finally {
    tasks.value = tasks.value.filter((each) => each.id !== id);
  }
}
