import type { FunctionProto, NodeProto } from '../../../build/onnx.js';
import { operatorName } from '../../graph/walk.js';
import type { ExternalData } from '../../model/external-data.js';
import type { Issue, IssueCode, Report } from './issue.js';
import type { Scope } from './scope.js';

/** A step to a field, an entry of one, or, by its name, an attribute. */
export interface Path {
  readonly before: Path | undefined;
  readonly step: string | number;
}

/** What is the same in all of a model. */
export interface Surroundings {
  readonly report: Report;
  readonly irVersion: number;
  /** The model's functions by `functionKey`. */
  readonly functions: ReadonlyMap<string, FunctionProto>;
  /** What they are called, whichever overload: `domain.name`. */
  readonly functionNames: ReadonlySet<string>;
  /** Names of the model's device configurations, with their numbers of devices; undefined where no model is around. */
  readonly configurations: ReadonlyMap<string, number> | undefined;
  /** Finds external data; they are not looked at without. */
  readonly externalData: ExternalData | undefined;
  /** Whether types are held to the operators' signatures, and to each other. */
  readonly types: boolean;
  readonly skipOpsetCompatibility: boolean;
  /** Whether operators of other domains than ONNX's must be known, too. */
  readonly customDomains: boolean;
}

/** What a rule is told besides the message that it looks at. */
export interface Context extends Surroundings {
  readonly path: Path | undefined;
  readonly node: NodeProto | undefined;
  /** Versions of the domains that are imported. */
  readonly opsets: ReadonlyMap<string, number>;
  readonly scope: Scope;
  /** Which graph this is, or the body of a function; undefined where a message is looked at by itself. */
  readonly within: 'main' | 'subgraph' | 'function' | undefined;
  /** Attributes that the function declares whose body this is. */
  readonly declared: ReadonlySet<string> | undefined;
  /** Graphs and types around this one. */
  readonly depth: number;
}

export type Rule<M> = (message: M, c: Context) => void;

/** The context of something in the message. */
export function at(c: Context, ...steps: readonly (string | number)[]): Context {
  const path = steps.reduce<Path | undefined>((before, step) => ({ before, step }), c.path);
  return { ...c, path };
}

/** Each entry of a repeated field, and its context. */
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

/** What an issue says besides; the hint is worked out only if it is kept. */
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

/** Comparing names takes longer than all rules: the first issues have such hints. */
const MOST_GUESSES = 100;

function hintOf({ hint }: Details, { issues }: Report): string | undefined {
  if (typeof hint !== 'function') return hint;
  return issues.length < MOST_GUESSES ? hint() : undefined;
}

/** Errors take the place of warnings where there is no room for both. */
export function hasRoom({ issues, limit }: Report, severity: Issue['severity']): boolean {
  if (issues.length < limit) return true;
  const last = severity === 'error' ? issues.findLastIndex((issue) => issue.severity === 'warning') : -1;
  if (last >= 0) issues.splice(last, 1);
  return last >= 0;
}

export const nameOf = ({ domain, opType }: Pick<NodeProto, 'domain' | 'opType'>): string =>
  operatorName({ domain: domain === 'ai.onnx' ? '' : domain, op: opType });

/** Whether a message has a field: repeated ones have it with an entry. */
export function has<M extends object>(message: M, field: keyof M): boolean {
  if (!Object.hasOwn(message, field)) return false;
  const value = message[field];
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** A field that must not be missing or empty. */
export function needs<M extends object>(message: M, field: keyof M & string, c: Context, details?: Details): boolean {
  if (has(message, field) && (message[field] as unknown) !== '') return true;
  const name = fieldName(field);
  error(at(c, name), 'MISSING', `${name} is ${has(message, field) ? 'empty' : 'missing'}`, details);
  return false;
}

/** protobufjs' names of fields as the format has them. */
export const fieldName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Calls back with every entry whose key has been there before. */
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
