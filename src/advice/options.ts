import type { Graph } from '../graph/graph.js';
import { isUnnamed, symbolsIn } from '../graph/sizes.js';
import { didYouMean, quoted } from './near.js';

const SILENT = () => '';

/** Options that only onnxruntime has, and the warning, if any. */
const FOREIGN: Readonly<Record<string, (value: unknown) => string>> = {
  executionProviders: providers,
  preferredOutputLocation: (value) =>
    typeof value === 'string' && !value.startsWith('cpu')
      ? `preferredOutputLocation "${value}" is not supported: outputs are on the CPU`
      : '',
  interOpNumThreads: SILENT,
  enableCpuMemArena: SILENT,
  enableMemPattern: SILENT,
  executionMode: SILENT,
  optimizedModelFilePath: SILENT,
  profileFilePrefix: SILENT,
  logId: SILENT,
  logSeverityLevel: SILENT,
  logVerbosityLevel: SILENT,
  enableGraphCapture: SILENT,
  extra: SILENT,
  terminate: SILENT,
};

const OWN_PROVIDERS: ReadonlySet<unknown> = new Set(['wasm', 'cpu', 'sardonyx', 'reference']);

function providers(value: unknown): string {
  const given = Array.isArray(value) ? value : [value];
  const foreign = given.filter((entry) => entry && typeof entry.compile !== 'function');
  const names = foreign.map((entry) => (typeof entry === 'string' ? entry : entry?.name));
  const others = names.filter((name) => !OWN_PROVIDERS.has(name)).map(String);
  const used = names.find((name) => OWN_PROVIDERS.has(name)) ?? 'wasm';
  const verb = others.length === 1 ? 'is' : 'are';
  return others.length > 0
    ? `execution provider${others.length === 1 ? '' : 's'} ${quoted(others)} ${verb} not supported; using "${used}"`
    : '';
}

/** Names of options in other libraries. */
const SYNONYMS: Readonly<Record<string, string>> = {
  numThreads: 'intraOpNumThreads',
  threads: 'intraOpNumThreads',
  numberOfThreads: 'intraOpNumThreads',
  optimizationLevel: 'graphOptimizationLevel',
  dims: 'freeDimensionOverrides',
  external: 'externalData',
  progress: 'onProgress',
  progress_callback: 'onProgress',
  abortSignal: 'signal',
  profile: 'enableProfiling',
};

export function unknownOption(short: string, name: string, value: unknown, known: readonly string[]): string {
  const foreign = FOREIGN[name];
  if (foreign) return foreign(value);
  const synonym = SYNONYMS[name];
  const meant = synonym && known.includes(synonym) ? `; did you mean "${synonym}"?` : didYouMean(name, known);
  return `${short}${meant || `; the options are ${quoted(known)}`}`;
}

/** The names of dynamic dimensions of inputs and outputs. */
export function symbolsOf({ inputs, outputs }: Graph): readonly string[] {
  const dims = [...inputs, ...outputs].flatMap(({ type }) => (type?.kind === 'tensor' ? (type.dims ?? []) : []));
  return [...new Set(dims.flatMap(symbolsIn))].filter((name) => !isUnnamed(name));
}

export function unknownSymbol(short: string, name: string, graph: Graph): string {
  const symbols = symbolsOf(graph);
  const known =
    symbols.length > 0 ? `its dynamic dimensions are ${quoted(symbols)}` : 'it has no named dynamic dimensions';
  return `${short}; ${known}${didYouMean(name, symbols)}`;
}
