import { proxy, transfer } from 'comlink';
import type { WasmFile, WasmOptions } from '../../../bindings/wasm-options.js';
import type { Passage } from '../../../workers/pack.js';
import type { SardonyxError } from '../../base/errors.js';
import { callbackFailed } from '../../loading/progress.js';
import { isKept, type KeptFile } from '../../loading/source.js';
import { env, type SessionOptions } from '../../session/options.js';
import {
  type PortableSource,
  portableBinary,
  portableOptions,
  portableSettings,
  portableSource,
  unkept,
} from './portable.js';

type Report = (...given: unknown[]) => void;

/** Options that are functions. */
type Reports = Readonly<Record<string, Report>>;

/** What a worker is asked with for its session: the first of what `create` takes, after which come the reports. */
export async function createRequest(source: PortableSource, { signal, ...options }: SessionOptions, passage: Passage) {
  const buffers = new Set<Transferable>();
  const model = await portableSource(await unkept(source), buffers, passage);
  const data = Object.entries(await portableOptions(options, buffers, passage));
  const kept = isKept(source) ? source : undefined;
  const plain = Object.fromEntries(data.filter(([, option]) => typeof option !== 'function'));
  const settings = await portableSettings(env.wasm);
  const locator = portableLocator(env.wasm);
  const beside = kept && besideOf(kept, signal);
  return {
    first: [settings, locator, beside, kept?.url ?? '', model, transfer(plain, [...buffers])] as const,
    reports: Object.fromEntries(data.filter(([, option]) => typeof option === 'function')) as Reports,
  };
}

/** The reports as a worker calls them until `leave`; where one throws, `end` is told. */
export function audienceOf(reports: Reports, end: (reason: SardonyxError) => void) {
  let hasLeft = false;
  const heard = Object.entries(reports).map(([name, report]) =>
    proxy((...given: unknown[]) => {
      try {
        if (!hasLeft) report(...given);
      } catch (cause) {
        end(callbackFailed(name, cause));
      }
    }),
  );
  const leave = () => {
    hasLeft = true;
  };
  return { heard, leave };
}

const portableLocator = ({ source }: WasmOptions) =>
  typeof source === 'function' ? proxy(async (file: WasmFile) => portableBinary(await source(file))) : undefined;

/** The external files of a kept model, for its worker. */
const besideOf = (kept: KeptFile, signal: AbortSignal | undefined) =>
  proxy(async (path: string) => {
    const data = await kept.beside(path, { signal });
    const buffers = new Set<Transferable>();
    const portable = data && (await portableSource(await unkept(data), buffers, 'copy'));
    return buffers.size > 0 ? transfer(portable as Uint8Array, [...buffers]) : portable;
  });
