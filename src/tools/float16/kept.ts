import { isWanted } from '../quantize/names.js';
import { domainOf } from '../schemas/domains.js';
import type { Settings } from './options.js';
import type { Signature } from './signature.js';
import { type Site, type Step, stepsIn, type Value } from './sites.js';
import { isTensor, type Narrowing, narrowElements, ownElements } from './types.js';

/** Nodes that stay in float32, with reasons. */
export type Kept = Map<Step, string>;

/** Returns a reason to keep a node in float32. */
export type Objection = (step: Step) => string | undefined;

export function keptIn(site: Site, settings: Settings, narrowing: Narrowing, objection: Objection): Kept {
  const kept: Kept = new Map();
  const steps = [...stepsIn(site)];
  for (const step of steps) {
    const reason = isConcerned(step, narrowing) && (reasonOf(step, settings, narrowing) ?? objection(step));
    if (reason) kept.set(step, reason);
  }
  keepSizes(steps, narrowing, kept);
  keepSequences(site, steps, settings, narrowing, kept);
  return kept;
}

/** Whether a node has values to convert. Constants get the types that their readers need. */
const isConcerned = (step: Step, { of }: Narrowing): boolean =>
  step.outputs.every((value) => !value?.constant) && valuesOf(step).some((value) => of(value));

const borderOf = ({ bodies }: Step): (Value | undefined)[] =>
  bodies.flatMap(({ graph, values }) => [...graph.input, ...graph.output].map(({ name }) => values.get(name)));

const valuesOf = (step: Step): (Value | undefined)[] => [...step.inputs, ...step.outputs, ...borderOf(step)];

function reasonOf(step: Step, settings: Settings, narrowing: Narrowing): string | undefined {
  const { node, signature, bodies } = step;
  if (!isWanted(node, node.opType, settings)) return 'excluded';
  if (!signature) return 'unknown operator';
  if (valuesOf(step).some((value) => value && !value.type)) return 'the type of an input or output is unknown';
  if (node.opType === 'BitCast') return 'BitCast depends on the float32 bits';
  if (bodies.length > 0 && domainOf(node.domain) !== '') return 'a custom operator with subgraphs';
  return isPossible(step, signature, narrowing)
    ? undefined
    : `the operator does not support ${narrowing.to} (opset ${signature.since})`;
}

/**
 * Whether a node can be converted: some of its floats can be half precision, or all that enter or leave its subgraphs.
 */
function isPossible(step: Step, { input, output }: Signature, narrowing: Narrowing): boolean {
  if (step.bodies.length === 0) {
    const { inputs, outputs } = narrowElements(step, narrowing);
    const isLeft = (value: Value | undefined, i: number) => narrowing.of(value) && inputs[i] === undefined;
    return [...inputs, ...outputs].includes(narrowing.to) || step.inputs.some(isLeft);
  }
  const admits = (value: Value | undefined, types: ReadonlySet<string> | undefined) => {
    const type = narrowing.of(value);
    return !type || types?.has(type) === true;
  };
  return (
    step.inputs.every((value, i) => admits(value, input(i)?.types)) &&
    step.outputs.every((value, i) => admits(value, output(i)?.types))
  );
}

/**
 * Keeps nodes in float32 that compute sizes: values that do not depend on input data and that all readers use in
 * float32.
 */
function keepSizes(steps: readonly Step[], narrowing: Narrowing, kept: Kept): void {
  const fixed = fixedSteps(steps);
  const isSize = (step: Step) =>
    kept.has(step) ||
    step.outputs.every((value) => !narrowing.of(value)) ||
    narrowElements(step, narrowing).outputs.every((element) => element !== narrowing.to);
  const isReadAsItIs = (value: Value) =>
    value.readers.length > 0 &&
    !value.site.graph.output.some(({ name }) => name === value.name) &&
    value.readers.every(({ step, input }) => (fixed.has(step) ? isSize(step) : isOwn(step, input, narrowing, kept)));
  for (const step of [...fixed].reverse()) {
    const floats = step.outputs.filter((value) => narrowing.of(value)) as Value[];
    if (!kept.has(step) && floats.length > 0 && floats.every((value) => !value.constant && isReadAsItIs(value)))
      kept.set(step, 'a constant that other kept nodes read');
  }
}

/** Whether a node reads an input in its original type. */
const isOwn = (step: Step, input: number, narrowing: Narrowing, kept: Kept): boolean =>
  kept.has(step) || narrowElements(step, narrowing).inputs[input] === step.inputs[input]?.element;

const OF_SHAPES: ReadonlySet<string> = new Set(['Shape', 'Size']);

/** Nodes whose outputs do not depend on input data. */
function fixedSteps(steps: readonly Step[]): Set<Step> {
  const fixed = new Set<Step>();
  const known = new Set<Value | undefined>();
  for (const step of steps) {
    const { node, inputs, outputs, bodies } = step;
    const isFixed = inputs.every((value) => !value || value.constant || known.has(value)) && bodies.length === 0;
    if (!isFixed && !OF_SHAPES.has(node.opType)) continue;
    fixed.add(step);
    for (const value of outputs) known.add(value);
  }
  return fixed;
}

/** Keeps all nodes that share a sequence in float32 if one of them stays in float32, as sequences cannot be cast. */
function keepSequences(
  site: Site,
  steps: readonly Step[],
  { keepIO }: Settings,
  narrowing: Narrowing,
  kept: Kept,
): void {
  const sequencesOf = (step: Step) =>
    valuesOf(step).filter((value): value is Value => !!narrowing.of(value) && !isTensor(value as Value));
  const concerned = steps.filter((step) => sequencesOf(step).length > 0);
  const left = new Set<Value>();
  if (keepIO)
    for (const { name } of [...site.graph.input, ...site.graph.output]) left.add(site.values.get(name) as Value);
  for (let before = -1; before < left.size + kept.size; ) {
    before = left.size + kept.size;
    for (const step of concerned) {
      const own = kept.has(step) ? sequencesOf(step) : unchanged(step, narrowing);
      for (const value of own) left.add(value);
      if (!kept.has(step) && sequencesOf(step).some((value) => left.has(value)))
        kept.set(step, 'an input or output sequence stays unchanged');
    }
  }
}

/** Sequences that keep their type although the node is converted. */
function unchanged(step: Step, narrowing: Narrowing): Value[] {
  const elements = narrowElements(step, narrowing);
  const own = ownElements(step);
  const same = (kind: 'inputs' | 'outputs') =>
    step[kind].filter(
      (value, i) => value && narrowing.of(value) && !isTensor(value) && elements[kind][i] === own[kind][i],
    );
  return [...same('inputs'), ...same('outputs')] as Value[];
}
