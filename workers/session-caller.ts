import { type Remote, releaseProxy, wrap } from 'comlink';
import type { WasmFile, WasmOptions, WasmSource } from '../bindings/wasm-options.js';
import type { DataSource, KeptFile } from '../src/loading/source.js';
import { arrived } from './streams.js';

/** Requests of a session's worker to its caller during loading. */
export interface Caller {
  /** `env.wasm.source`, where that is a function. */
  locate(file: WasmFile): Promise<WasmSource | undefined>;
  /** An external file of a kept model. */
  beside(path: string): Promise<DataSource | MessagePort | undefined>;
  /** An option that is a function has been called. */
  report(name: string, ...given: unknown[]): void;
}

/** What of that there is. */
export interface Offers {
  /** Names of the options that are functions. */
  readonly reports: readonly string[];
  readonly locates: boolean;
  /** The address of a kept model. */
  readonly kept: string | undefined;
}

/** The caller at the other end of a port, as the loading of a session takes it. */
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
    /** The model, with its external files where it is kept. */
    modelOf: (source: DataSource): DataSource =>
      kept === undefined ? source : ({ url: kept, open: async () => source, beside: besideOf(caller) } as KeptFile),
    /** Settles when all that was reported has been heard. */
    hasHeard: () => Promise.all(heard.values()),
    release: () => caller[releaseProxy](),
  };
}

const besideOf = (caller: Remote<Caller>) => async (path: string) => arrived(await caller.beside(path));
