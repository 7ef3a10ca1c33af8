import { type Remote, releaseProxy, wrap } from 'comlink';
import type { WasmFile, WasmOptions, WasmSource } from '../bindings/wasm-options.js';
import type { DataSource, KeptFile } from '../src/loading/source.js';
import { arrived } from './streams.js';

/** Requests of a session's worker to its caller while it loads. */
export interface Caller {
  /** Calls `env.wasm.source`, if that is a function. */
  locate(file: WasmFile): Promise<WasmSource | undefined>;
  /** An external file of a cached model. */
  beside(path: string): Promise<DataSource | MessagePort | undefined>;
  /** Reports a call of an option that is a function. */
  report(name: string, ...given: unknown[]): void;
}

/** The requests that a caller supports. */
export interface Offers {
  /** Names of the options that are functions. */
  readonly reports: readonly string[];
  readonly locates: boolean;
  /** The address of a cached model. */
  readonly kept: string | undefined;
}

/** The caller at the other end of a port, in the form that session loading takes. */
export function callerAt(port: MessagePort, { reports, locates, kept }: Offers) {
  const caller: Remote<Caller> = wrap<Caller>(port);
  const heard = new Map<string, unknown>();
  const reporting = (name: string) => {
    const report = (...given: unknown[]) => void heard.set(name, caller.report(name, ...given));
    return [name, report] as const;
  };
  const locator: WasmOptions['source'] = async (file: WasmFile) => (await caller.locate(file)) as WasmSource;
  return {
    options: Object.fromEntries(reports.map(reporting)),
    settings: locates ? { source: locator } : {},
    /** The model; if it is cached, with its external files. */
    modelOf: (source: DataSource): DataSource =>
      kept === undefined ? source : ({ url: kept, open: async () => source, beside: besideOf(caller) } as KeptFile),
    /** Settles when the caller has received all reports. */
    hasHeard: () => Promise.all(heard.values()),
    release: () => caller[releaseProxy](),
  };
}

const besideOf = (caller: Remote<Caller>) => async (path: string) => arrived(await caller.beside(path));
