import type { ModelProto, OperatorSetIdProto, StringStringEntryProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { nextTurn } from '../../base/turns.js';
import type { Model } from '../../model/document/model.js';
import { Long, toNumber } from '../../model/int64.js';
import { domainOf } from '../schemas/schemas.js';
import { functionsByKey } from '../surgery/functions.js';
import { graphOf } from '../surgery/refuse.js';
import type { Change, ChangedPart } from './change.js';
import { diffBodies, type Report } from './diff-bodies.js';
import { changedFields } from './same.js';
import { numbers } from './structure.js';
import { weightDifference } from './weights.js';

export interface DiffOptions {
  /** Whether the contents of weights are compared; they are if nothing else is said. */
  readonly weights?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number; readonly name: string }) => void)
    | undefined;
}

/**
 * What is different in two models: nodes are known again by the name of what they make or by what they follow from, wherever they stand and
 * whatever they are called, weights by their names or by who reads them. Nothing is told of models that mean and say the same.
 */
export async function diffModels(a: Model, b: Model, options: DiffOptions = {}): Promise<Change[]> {
  const report: Report = { number: numbers(), changes: [], tensors: [] };
  diffHeads(a.proto, b.proto, report.changes);
  diffBodies({ a: graphOf(a), b: graphOf(b), path: 'graph', renamed: (name) => name }, report);
  diffFunctions(a.proto, b.proto, report);
  if (options.weights !== false) await diffContents(report, [a, b], options);
  return report.changes;
}

/** One tensor at a time. */
async function diffContents(
  { tensors, changes }: Report,
  models: readonly [Model, Model],
  { signal, onProgress }: DiffOptions,
): Promise<void> {
  for (const [done, { change, before, after }] of tensors.entries()) {
    if (signal?.aborted) throw aborted(signal, 'comparing');
    onProgress?.({ done, total: tensors.length, name: change.name });
    const weights = await weightDifference(before, after, models);
    if (weights) changes.push({ ...change, weights });
    if (before !== after) await nextTurn();
  }
}

const MODEL_FIELDS = ['graph', 'functions', 'opsetImport', 'metadataProps'];

function diffHeads(a: ModelProto, b: ModelProto, changes: Change[]): void {
  for (const name of changedFields(a, b, MODEL_FIELDS))
    changes.push({ part: 'field', change: 'changed', path: '', name, before: shown(a[name]), after: shown(b[name]) });
  const versions = ({ opsetImport }: ModelProto) =>
    new Map(opsetImport.map(({ domain, version }: OperatorSetIdProto) => [domainOf(domain), `${toNumber(version)}`]));
  const properties = ({ metadataProps }: ModelProto) =>
    new Map(metadataProps.map(({ key, value }: StringStringEntryProto) => [key, value]));
  diffEntries('opset', versions(a), versions(b), changes);
  diffEntries('metadata', properties(a), properties(b), changes);
}

const shown = (value: unknown): string =>
  value instanceof Long ? `${toNumber(value)}` : typeof value === 'object' ? '…' : `${value}`;

function diffEntries(
  part: ChangedPart,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  changes: Change[],
): void {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === is) continue;
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    changes.push({
      part,
      change,
      path: '',
      name,
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
    });
  }
}

function diffFunctions(a: ModelProto, b: ModelProto, report: Report): void {
  const [before, after] = [functionsByKey(a), functionsByKey(b)];
  for (const [key, definition] of before) {
    const other = after.get(key);
    const name = `${definition.domain}.${definition.name}`;
    const path = `function ${name}`;
    if (other) diffBodies({ a: definition, b: other, path, renamed: (own) => own }, report);
    else report.changes.push({ part: 'function', change: 'removed', path: '', name });
  }
  for (const [key, { domain, name }] of after)
    if (!before.has(key))
      report.changes.push({ part: 'function', change: 'added', path: '', name: `${domain}.${name}` });
}
