import { SardonyxError } from '../base/errors.js';
import { concat } from './fields.js';
import type { Outlet } from './outlet.js';

/** A queue of records. They are written in the order of `put`, including those that are still being created. */
export interface Queue {
  /** @throws SardonyxError RELEASED once closed, or the error of an earlier record */
  put(record: Uint8Array | Promise<Uint8Array>): void;
  flush(): Promise<void>;
  /** Has no effect the second time. */
  close(): Promise<void>;
}

/** A queue that writes waiting records together, when the caller yields or on `flush`. */
export function queueTo(outlet: Outlet): Queue {
  const waiting: (Uint8Array | Promise<Uint8Array>)[] = [];
  let draining: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  const fail = (error: unknown) => {
    failure ??= { error };
    waiting.length = 0;
  };
  const drain = async () => {
    while (waiting.length > 0) await outlet.write(concat(await Promise.all(waiting.splice(0))));
  };
  const drained = () =>
    (draining ??= Promise.resolve()
      .then(drain)
      .catch(fail)
      .finally(() => {
        draining = undefined;
      }));
  const flush = async () => {
    await drained();
    if (failure) throw failure.error;
    await outlet.flush();
  };
  const close = async () => {
    await drained();
    const closed = (async () => outlet.close())();
    if (!failure) return closed;
    await closed.catch(() => {});
    throw failure.error;
  };
  return {
    put(record) {
      if (closing) throw new SardonyxError('RELEASED', 'the log is closed');
      if (failure) throw failure.error;
      waiting.push(record);
      void drained();
    },
    flush,
    close: () => (closing ??= close()),
  };
}
