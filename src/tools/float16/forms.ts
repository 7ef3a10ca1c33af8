import type { ElementType } from '../../tensor/element-types.js';
import type { Kept } from './kept.js';
import { type Site, type Step, sitesIn, stepsIn, type Value, valueIn } from './sites.js';
import { type Elements, isTensor, type Narrowing, narrowElements, ownElements } from './types.js';

/** The element type that produces a value, and the types that its readers need. */
interface Form {
  home: ElementType;
  readonly wanted: Set<ElementType>;
  readonly names: Map<ElementType, string>;
  /** The original value, if the Cast between them was removed. */
  same?: Value;
}

/** The planned conversion of a model. */
export interface Draft {
  readonly site: Site;
  readonly kept: Kept;
  readonly narrowing: Narrowing;
  readonly keepIO: boolean;
  readonly fresh: (wanted: string) => string;
  readonly elements: Map<Step, Elements>;
  /** The nodes that contain each subgraph. */
  readonly holders: ReadonlyMap<Site, Step>;
  readonly forms: Map<Value, Form>;
  /** Casts that have become redundant. */
  readonly gone: Set<Step>;
}

export function draftOf(given: Pick<Draft, 'site' | 'kept' | 'narrowing' | 'keepIO' | 'fresh'>): Draft {
  const steps = [...stepsIn(given.site)];
  const chosen = (step: Step) => (given.kept.has(step) ? ownElements(step) : narrowElements(step, given.narrowing));
  const draft: Draft = {
    ...given,
    elements: new Map(steps.map((step) => [step, chosen(step)])),
    holders: new Map(steps.flatMap((step) => step.bodies.map((body) => [body, step] as const))),
    forms: new Map(),
    gone: new Set(),
  };
  for (const step of steps) noteStep(draft, step);
  for (const inner of sitesIn(given.site)) noteBorder(draft, inner);
  for (const step of steps) leaveCast(draft, step);
  for (const step of steps) dropCast(draft, step);
  return draft;
}

function formOf(draft: Draft, value: Value): Form {
  const root = rootOf(draft, value);
  const form = draft.forms.get(root) ?? { home: root.element as ElementType, wanted: new Set(), names: new Map() };
  draft.forms.set(root, form);
  return form;
}

function rootOf({ forms }: Draft, value: Value): Value {
  let root = value;
  for (let same = forms.get(root)?.same; same; same = forms.get(root)?.same) root = same;
  return root;
}

function noteStep(draft: Draft, step: Step): void {
  const { inputs, outputs } = elementsOf(draft, step);
  for (const [i, value] of step.inputs.entries()) want(draft, value, inputs[i]);
  for (const [i, value] of step.outputs.entries())
    if (value?.element) formOf(draft, value).home = outputs[i] as ElementType;
}

function want(draft: Draft, value: Value | undefined, element: ElementType | undefined): void {
  if (value?.element && element) formOf(draft, value).wanted.add(element);
}

/** Notes the types that graph outputs need, and chooses for inputs and constants the type that most readers need. */
function noteBorder(draft: Draft, inner: Site): void {
  const isOutermost = inner === draft.site;
  if (!isOutermost || draft.keepIO)
    for (const { name } of inner.graph.output) {
      const value = valueIn(inner, name);
      if (value) want(draft, value, borderOf(draft, inner, value));
    }
  const inputs = new Set(inner.graph.input.map(({ name }) => inner.values.get(name)));
  for (const value of inner.values.values()) {
    if (!value.element || !(value.constant || inputs.has(value))) continue;
    if (!value.constant && (!isOutermost || draft.keepIO))
      formOf(draft, value).home = borderOf(draft, inner, value) as ElementType;
    else if (isForNarrow(draft, value)) formOf(draft, value).home = draft.narrowing.to;
  }
}

function isForNarrow(draft: Draft, value: Value): boolean {
  const { wanted } = formOf(draft, value);
  if (!draft.narrowing.of(value)) return false;
  return wanted.has(draft.narrowing.to) || (!value.constant && !wanted.has(value.element as ElementType));
}

/** The element type of an input or output of a graph. */
function borderOf({ holders, kept, keepIO, narrowing }: Draft, inner: Site, value: Value): ElementType | undefined {
  const holder = holders.get(inner);
  const isLeft = holder ? kept.has(holder) : keepIO;
  return narrowing.of(value) && !isLeft ? narrowing.to : value.element;
}

/** Keeps the output type of a Cast, or of another node with a type attribute, if all readers need that type. */
function leaveCast(draft: Draft, step: Step): void {
  const { typed } = step.signature ?? {};
  const [made] = step.outputs;
  if (typeof typed !== 'object' || !step.node.attribute.some(({ name }) => name === typed.name)) return;
  if (!made?.element || !isTensor(made) || isFreeOutput(draft, made)) return;
  const form = formOf(draft, made);
  if (form.wanted.size !== 1 || !form.wanted.has(made.element)) return;
  form.home = made.element;
  draft.elements.set(step, { ...elementsOf(draft, step), outputs: [made.element] });
}

const isFreeOutput = ({ site, keepIO }: Draft, value: Value): boolean =>
  !keepIO && value.site === site && site.graph.output.some(({ name }) => name === value.name);

function dropCast(draft: Draft, step: Step): void {
  const [from] = step.inputs;
  const [made] = step.outputs;
  if (step.node.opType !== 'Cast' || !from?.element || !made?.element || !isTensor(from)) return;
  if (!draft.narrowing.of(made) && !draft.narrowing.of(from)) return;
  if (step.site.graph.output.some(({ name }) => name === made.name)) return;
  const form = formOf(draft, made);
  if (formOf(draft, from).home !== form.home) return;
  draft.gone.add(step);
  form.same = from;
  for (const element of form.wanted) want(draft, from, element);
}

export const elementsOf = ({ elements }: Draft, step: Step): Elements => elements.get(step) as Elements;

export const homeOf = (draft: Draft, value: Value): ElementType => formOf(draft, value).home;

/** Whether a value is replaced by another because its Cast was removed. */
export const isSame = ({ forms }: Draft, value: Value): boolean => forms.get(value)?.same !== undefined;

/** The types that readers of a value need besides the one that is produced. */
export function othersOf(draft: Draft, value: Value): ElementType[] {
  if (!value.element || !isTensor(value) || isSame(draft, value)) return [];
  const { home, wanted } = formOf(draft, value);
  return [...wanted].filter((element) => element !== home);
}

/** The name of a value in one of its types. */
export function nameOf(draft: Draft, value: Value, element?: ElementType): string {
  const root = rootOf(draft, value);
  if (!root.element || !isTensor(root)) return root.name;
  const { home, names } = formOf(draft, root);
  const wanted = element ?? home;
  const isOutput = root.site === draft.site && root.site.graph.output.some(({ name }) => name === root.name);
  if (wanted === (isOutput && draft.keepIO ? root.element : home)) return root.name;
  const name = names.get(wanted) ?? draft.fresh(`${root.name}_${wanted}`);
  names.set(wanted, name);
  return name;
}

/** The name and element type of a graph's input or output. */
export function borderForm(draft: Draft, inner: Site, value: Value, isOutput: boolean): [name: string, ElementType] {
  const isFree = inner === draft.site && !draft.keepIO;
  const element = isOutput && !isFree ? borderOf(draft, inner, value) : homeOf(draft, value);
  return [isOutput ? nameOf(draft, value, element) : value.name, element as ElementType];
}
