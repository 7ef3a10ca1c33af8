import { toNumber } from '../model/int64.js';
import type { Model, SaveModelOptions } from '../tools/index.js';
import { writeDocument } from './document.js';
import { type Io, STANDARD } from './io.js';
import { UsageError } from './usage-error.js';

/** The JSON summary of a model that was written. */
export interface Written {
  readonly output: string;
  readonly irVersion: number;
  readonly opsets: Readonly<Record<string, number>>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The number of nodes in the main graph. */
  readonly nodes: number;
  /** The functions, by domain and name. */
  readonly functions: readonly string[];
}

const named = (infos: readonly { readonly name: string }[] = []): string[] => infos.map(({ name }) => name);

const written = ({ proto: { irVersion, opsetImport, graph, functions } }: Model, output: string): Written => ({
  output,
  irVersion: toNumber(irVersion),
  opsets: Object.fromEntries(opsetImport.map(({ domain, version }) => [domain || 'ai.onnx', toNumber(version)])),
  inputs: named(graph?.input),
  outputs: named(graph?.output),
  nodes: graph?.node.length ?? 0,
  functions: functions.map(({ domain, name }) => `${domain}.${name}`),
});

/** The file of a model, and whether to print a JSON summary of it. */
export interface Destination {
  readonly output: string;
  readonly json?: true | undefined;
}

/**
 * Checks that the model and the JSON do not both go to standard output.
 * @throws UsageError if they do
 */
export function refuseBoth({ output, json }: Destination): void {
  if (output === STANDARD && json)
    throw new UsageError('--output -: standard output cannot carry both the model and JSON (--json)');
}

/** Writes a model, and with `--json` prints a summary of it together with `more`. */
export async function deliverDocument(
  io: Io,
  model: Model,
  { output, json }: Destination,
  options: SaveModelOptions = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  refuseBoth({ output, json });
  await writeDocument(io, model, output, options);
  if (json) io.printJson({ ...written(model, output), ...more });
}
