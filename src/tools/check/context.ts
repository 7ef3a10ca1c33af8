import type { FunctionProto, NodeProto } from '../../../build/onnx.js';
import { operatorName } from '../../graph/walk.js';
import type { ExternalData } from '../../model/external-data.js';
import type { Issue, IssueCode, Report } from './issue.js';
import type { Scope } from './scope.js';

/** A step of a path: a field, an index in a repeated field, or the name of an attribute. */
export interface Path {
  readonly before: Path | undefined;
  readonly step: string | number;
}

/** State that all messages of a model share. */
export interface Surroundings {
  readonly report: Report;
  readonly irVersion: number;
  /** The model's functions by `functionKey`. */
  readonly functions: ReadonlyMap<string, FunctionProto>;
  /** Names of the functions without overloads: `domain.name`. */
  readonly functionNames: ReadonlySet<string>;
  /** The number of devices of each device configuration of the model, by name; undefined without a model. */
  readonly configurations: ReadonlyMap<string, number> | undefined;
  /** Finds external data, which are not checked without it. */
  readonly externalData: ExternalData | undefined;
  /** Whether to check types against operator signatures and against each other. */
  readonly types: boolean;
  readonly skipOpsetCompatibility: boolean;
  /** Whether operators of domains other than ONNX's must be known, too. */
  readonly customDomains: boolean;
}

/** The context of a rule, besides the message that it checks. */
export interface Context extends Surroundings {
  readonly path: Path | undefined;
  readonly node: NodeProto | undefined;
  /** Versions of the imported domains. */
  readonly opsets: ReadonlyMap<string, number>;
  readonly scope: Scope;
  /** Whether the message is part of the main graph, a subgraph or a function; undefined for a message on its own. */
  readonly within: 'main' | 'subgraph' | 'function' | undefined;
  /** Attributes that the enclosing function declares. */
  readonly declared: ReadonlySet<string> | undefined;
  /** The number of enclosing graphs and types. */
  readonly depth: number;
}

export type Rule<M> = (message: M, c: Context) => void;

/** The context of a part of the current message. */
export function at(c: Context, ...steps: readonly (string | number)[]): Context {
  const path = steps.reduce<Path | undefined>((before, step) => ({ before, step }), c.path);
  return { ...c, path };
}

/** Yields each entry of a repeated field with its context. */
export function* entriesOf<M>(list: readonly M[], field: string, c: Context): Generator<[M, Context]> {
  for (const [i, entry] of list.entries()) yield [entry, at(c, field, i)];
}

export function applyRules<M>(rules: readonly Rule<M>[], message: M, c: Context): void {
  for (const rule of rules) rule(message, c);
}

function pathText(path: Path | undefined): string {
  let text = '';
  for (let part = path; part; part = part.before)
    text = typeof part.step === 'number' ? `[${part.step}]${text}` : `.${part.step}${text}`;
  return text.replace(/^\./, '');
}

/** Optional details of an issue. The hint is computed only if the issue is kept. */
export interface Details {
  readonly value?: string | undefined;
  readonly hint?: string | (() => string | undefined);
}

export const error = (c: Context, code: IssueCode, message: string, details: Details = {}): void =>
  push(c, 'error', code, message, details);

export const warning = (c: Context, code: IssueCode, message: string, details: Details = {}): void =>
  push(c, 'warning', code, message, details);

function push(c: Context, severity: Issue['severity'], code: IssueCode, message: string, details: Details): void {
  const { report, node } = c;
  if (!hasRoom(report, severity)) return;
  const hint = hintOf(details, report);
  report.issues.push({
    severity,
    code,
    message,
    path: pathText(c.path),
    ...(node?.name && { node: node.name }),
    ...(node?.opType && { operator: nameOf(node) }),
    ...(details.value && { value: details.value }),
    ...(hint && { hint }),
  });
}

/** Only the first issues have hints with similar names, as comparing names takes longer than all rules. */
const MOST_GUESSES = 100;

function hintOf({ hint }: Details, { issues }: Report): string | undefined {
  if (typeof hint !== 'function') return hint;
  return issues.length < MOST_GUESSES ? hint() : undefined;
}

/** Whether an issue fits into the report. An error replaces the last warning of a full report. */
export function hasRoom({ issues, limit }: Report, severity: Issue['severity']): boolean {
  if (issues.length < limit) return true;
  const last = severity === 'error' ? issues.findLastIndex((issue) => issue.severity === 'warning') : -1;
  if (last >= 0) issues.splice(last, 1);
  return last >= 0;
}

export const nameOf = ({ domain, opType }: Pick<NodeProto, 'domain' | 'opType'>): string =>
  operatorName({ domain: domain === 'ai.onnx' ? '' : domain, op: opType });

/** Whether a message has a field. A repeated field needs at least one entry. */
export function has<M extends object>(message: M, field: keyof M): boolean {
  if (!Object.hasOwn(message, field)) return false;
  const value = message[field];
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** Reports a field that is missing or empty. */
export function needs<M extends object>(message: M, field: keyof M & string, c: Context, details?: Details): boolean {
  if (has(message, field) && (message[field] as unknown) !== '') return true;
  const name = fieldName(field);
  error(at(c, name), 'MISSING', `${name} is ${has(message, field) ? 'empty' : 'missing'}`, details);
  return false;
}

/** Converts protobufjs' name of a field to the name in the ONNX format. */
export const fieldName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Calls `found` with every entry whose key an earlier entry has. */
export function eachRepeated<T>(
  list: readonly T[],
  keyOf: (entry: T, i: number) => string | number,
  found: (entry: T, i: number) => void,
): void {
  const seen = new Set<string | number>();
  for (const [i, entry] of list.entries()) {
    const key = keyOf(entry, i);
    if (seen.has(key)) found(entry, i);
    seen.add(key);
  }
}
