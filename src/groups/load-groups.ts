import { registerKernels, registerLowerings } from '../backends/wasm/lowerings.js';
import { SardonyxError } from '../base/errors.js';
import { codeOfMissingScript } from '../base/not-loaded.js';
import { allOperators, type Definition, register } from '../schema/registry.js';
import * as always from './always.js';
import type { Group, Named, Operators } from './groups.js';

function provide({ lowerings = {}, kernelSet, ...exported }: Operators): void {
  const definitions = exported as Readonly<Record<string, Definition>>;
  register(definitions);
  registerLowerings(lowerings);
  if (kernelSet) registerKernels(kernelSet, Object.values(definitions).flat());
}

provide(always);

/** `domain:Name` of operators that need no loading. */
const ALWAYS = new Set(allOperators().map(keyOf));
function keyOf({ domain, name }: Named): string {
  return `${domain}:${name}`;
}

let table: typeof import('./groups.js') | undefined;
const loaded = new Map<Group, Promise<void>>();
let isComplete = false;

/** Registers all groups, so that nothing is loaded on demand. */
export function provideGroups(groups: Readonly<Record<string, Operators>>): void {
  for (const operators of Object.values(groups)) provide(operators);
  isComplete = true;
}

/** Loads the groups that contain one of these operators, if they are not loaded yet; by default all. */
export async function loadGroups(operators?: readonly Named[]): Promise<void> {
  if (isComplete || operators?.every((operator) => ALWAYS.has(keyOf(operator)))) return;
  table ??= await import('./groups.js').catch(refuse);
  const { GROUPS, neededFor } = table;
  const wanted = operators ? GROUPS.filter((group) => operators.some(neededFor(group))) : GROUPS;
  await Promise.all(wanted.map(loadGroup));
}

function loadGroup(group: Group): Promise<void> {
  const known = loaded.get(group);
  if (known) return known;
  const loading = group.load().then(provide, (cause) => {
    loaded.delete(group);
    return refuse(cause);
  });
  loaded.set(group, loading);
  return loading;
}

function refuse(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : cause;
  throw new SardonyxError(
    codeOfMissingScript(cause),
    `operators of the model cannot be loaded: ${reason} (sardonyx/inline includes them)`,
    {},
    { cause },
  );
}
