import type { FunctionProto, ModelProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { nextTurn } from '../../base/turns.js';
import type { Model } from '../../model/document/model.js';
import { Long, toNumber } from '../../model/int64.js';
import { domainOf } from '../schemas/domains.js';
import { graphOf } from '../surgery/refuse.js';
import type { Change } from './change.js';
import { diffBodies, type Report } from './diff-bodies.js';
import { diffList } from './diff-list.js';
import { printsOf } from './prints.js';
import { changedFields } from './same.js';
import { numbers } from './structure.js';
import { weightDifference } from './weights.js';

/** Options of `diffModels` and `matchModels`. */
export interface DiffOptions {
  /** Whether to compare the contents of weights. Default: true. */
  readonly weights?: boolean | undefined;
  /** Aborts the comparison. */
  readonly signal?: AbortSignal | undefined;
  /** Called as the comparison progresses. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number; readonly name: string }) => void)
    | undefined;
}

/**
 * Lists all differences between two models. Nodes are matched by their inputs and outputs, names and neighbors, even if
 * they were renamed or moved; weights are matched by their names or the nodes that read them. Returns an empty list for
 * equivalent models.
 * @throws SardonyxError INVALID_MODEL, ABORTED
 */
export const diffModels = async (a: Model, b: Model, options: DiffOptions = {}): Promise<Change[]> =>
  (await reportOn(a, b, options)).changes;

/** Compares two models, and records the owners of the changes. */
export async function reportOn(a: Model, b: Model, options: DiffOptions): Promise<Report> {
  const prints = options.weights === false ? UNPRINTED : ([await printsOf(a), await printsOf(b)] as const);
  const report: Report = { number: numbers(), prints, changes: [], pairs: new Map(), owners: new Map(), tensors: [] };
  diffHeads(a.proto, b.proto, report.changes);
  diffBodies({ a: graphOf(a), b: graphOf(b), path: 'graph', renamed: (name) => name }, report);
  diffFunctions(a.proto, b.proto, report);
  if (options.weights !== false) await diffContents(report, [a, b], options);
  return report;
}

const UNPRINTED = [() => '', () => ''] as const;

/** Compares the contents of weights, one at a time. */
async function diffContents(
  { tensors, changes, owners }: Report,
  models: readonly [Model, Model],
  { signal, onProgress }: DiffOptions,
): Promise<void> {
  for (const [done, { change, before, after }] of tensors.entries()) {
    if (signal?.aborted) throw aborted(signal, 'the comparison');
    onProgress?.({ done, total: tensors.length, name: change.name });
    const weights = await weightDifference(before, after, models);
    const told = { ...change, ...(weights && { weights }) };
    const owner = owners.get(change);
    if (weights) changes.push(told);
    if (weights && owner) owners.set(told, owner);
    if (before !== after) await nextTurn();
  }
}

const MODEL_FIELDS = ['graph', 'functions', 'opsetImport', 'metadataProps'];

/** A domain with its version, or a metadata key with its value. */
interface Entry {
  readonly name: string;
  readonly value: string;
}

function diffHeads(a: ModelProto, b: ModelProto, changes: Change[]): void {
  for (const name of changedFields(a, b, MODEL_FIELDS))
    changes.push({ part: 'field', change: 'changed', path: '', name, before: shown(a[name]), after: shown(b[name]) });
  const list = { path: '', text: ({ value }: Entry) => value };
  diffList(opsetsIn(a), opsetsIn(b), { ...list, part: 'opset' }, changes);
  diffList(metadataIn(a), metadataIn(b), { ...list, part: 'metadata' }, changes);
}

const opsetsIn = ({ opsetImport }: ModelProto): Entry[] =>
  opsetImport.map(({ domain, version }) => ({ name: domainOf(domain), value: `${toNumber(version)}` }));

const metadataIn = ({ metadataProps }: ModelProto): Entry[] =>
  metadataProps.map(({ key, value }) => ({ name: key, value }));

const shown = (value: unknown): string =>
  value instanceof Long ? `${toNumber(value)}` : typeof value === 'object' ? '…' : `${value}`;

function diffFunctions(a: ModelProto, b: ModelProto, report: Report): void {
  const compare = (before: NamedFunction, after: NamedFunction) =>
    diffBodies({ a: before.body, b: after.body, path: `function ${before.name}`, renamed: (name) => name }, report);
  const list = { part: 'function', path: '', text: ({ name }: NamedFunction) => name, compare } as const;
  diffList(functionsIn(a), functionsIn(b), list, report.changes);
}

interface NamedFunction {
  readonly name: string;
  readonly body: FunctionProto;
}

const functionsIn = ({ functions }: ModelProto): NamedFunction[] =>
  functions.map((body) => {
    const { domain, name, overload } = body;
    return { name: `${domainOf(domain)}.${name}${overload && `:${overload}`}`, body };
  });
