import { toNumber } from '../model/int64.js';
import type { Model, SaveModelOptions } from '../tools/index.js';
import { writeDocument } from './document.js';
import { type Io, STANDARD } from './io.js';
import { UsageError } from './usage-error.js';

/** What commands that write a model say of it besides, for `--json`. */
export interface Written {
  readonly output: string;
  readonly irVersion: number;
  readonly opsets: Readonly<Record<string, number>>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Of the graph itself. */
  readonly nodes: number;
  /** By domain and name. */
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

/** Where a model goes, and whether JSON says what it is. */
export interface Destination {
  readonly output: string;
  readonly json?: true | undefined;
}

/** @throws UsageError where standard output would have the model and the JSON */
export function refuseBoth({ output, json }: Destination): void {
  if (output === STANDARD && json)
    throw new UsageError('--output -: standard output cannot have the JSON too (--json)');
}

/** Writes a model, and with `--json` says what was written, and what else there is to say. */
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
