import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';
import { entryOf, versionBeside } from './onnxruntime.js';
import { type RemoteRuntime, sessionsInProcess } from './sessions-in-process.js';

export interface NamedRuntime extends RemoteRuntime {
  /** The name with the version. */
  readonly name: string;
  /** Options for its sessions. */
  readonly session: object;
}

/** onnxruntime prints warnings for many models. */
const QUIET = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };

/** The runtime in a package or file, resolved from the working directory; Sardonyx by default. */
export function runtimeNamed(io: Io, module: string | undefined, ownVersion: string): NamedRuntime {
  if (module === undefined) return named(io, `sardonyx ${ownVersion}`, null, {});
  const entry = entryOf(module, process.cwd());
  if (!entry)
    throw new UsageError(`--with ${module}: the module is not installed in this project; run npm install ${module}`);
  const isPackage = !/^[./]|:/.test(module);
  const version = isPackage ? versionBeside(entry, module) : '';
  return named(io, `${module} ${version}`.trim(), entry, /^onnxruntime-/.test(module) ? QUIET : {});
}

const named = (io: Io, name: string, sessionsOf: string | null, session: object): NamedRuntime => ({
  ...sessionsInProcess(io, name, { sessionsOf }),
  name,
  session,
});
