import type { PlainArray, PlainValue } from '../reference/array.js';
import type { Values } from './evaluate.js';
import { type Mode, partly } from './modes.js';
import { isPlainArray, rounded } from './plain-tensors.js';
import { type ProgramNode, withoutDead } from './program.js';
import { type Case, caseOf, type Finding, findingIn } from './trial.js';

/** A smaller case that fails in the same way, and the rewrite after which it does. */
export interface Minimal {
  readonly case: Case;
  readonly finding: Finding;
  /** How many rewrites it takes; undefined: it fails without any. */
  readonly rewrites: number | undefined;
}

type Step = (c: Case) => readonly (Pick<Case, 'program' | 'feeds'> | undefined)[];

/** Only one of the outputs. */
const oneOutput: Step = ({ program, feeds }) =>
  program.outputs.length === 1
    ? []
    : program.outputs.map((output) => ({ program: withoutDead({ ...program, outputs: [output] }), feeds }));

/** One output less: what fails may need two. */
const oneOutputLess: Step = ({ program, feeds }) =>
  program.outputs.length < 2
    ? []
    : program.outputs.map((output) => ({
        program: withoutDead({ ...program, outputs: program.outputs.filter((other) => other !== output) }),
        feeds,
      }));

/** An inner value as the output. */
const earlierOutput: Step = ({ program, feeds }) =>
  program.nodes.flatMap(({ outputs }) =>
    outputs
      .filter((name) => name !== null && !program.outputs.includes(name))
      .map((name) => ({ program: withoutDead({ ...program, outputs: [name as string] }), feeds })),
  );

/** A node's results are fed instead of computed. */
const fedNode: Step = (c) => c.program.nodes.map((node) => fed(c, node));

function fed({ program, feeds, expected }: Case, node: ProgramNode) {
  const names = node.outputs.filter((name) => name !== null);
  if (names.some((name) => program.outputs.includes(name) && program.nodes.length > 1)) return undefined;
  if (names.some((name) => expected.some((set) => !isPlainArray(set.get(name))))) return undefined;
  const inputs = names.map((name) => {
    const sets = expected.map((set) => set.get(name) as PlainArray);
    const dims = (sets[0] as PlainArray).dims.map((d, axis) =>
      sets.every((set) => set.dims[axis] === d) ? d : `${name}_${axis}`,
    );
    return { name, type: (sets[0] as PlainArray).type, dims };
  });
  const more = (set: Values, i: number) =>
    new Map<string, PlainValue>([
      ...set,
      ...names.map((name) => [name, rounded(expected[i]?.get(name) as PlainArray)] as const),
    ]);
  const rest = program.nodes.filter((other) => other !== node);
  return {
    program: withoutDead({ ...program, nodes: rest, inputs: [...program.inputs, ...inputs] }),
    feeds: feeds.map(more),
  };
}

/** A node is left out: its first input of the same form takes the place of its result. */
const withoutNode: Step = ({ program, feeds, expected }) =>
  program.nodes.flatMap((node) => {
    const [output] = node.outputs;
    const like = node.inputs.find((name) => name !== null && formOf(expected, name) === formOf(expected, output ?? ''));
    if (node.outputs.length !== 1 || !output || !like || program.outputs.includes(output)) return [];
    const renamed = program.nodes
      .filter((other) => other !== node)
      .map((other) => ({ ...other, inputs: other.inputs.map((name) => (name === output ? like : name)) }));
    return [{ program: withoutDead({ ...program, nodes: renamed }), feeds }];
  });

const formOf = (expected: readonly Values[], name: string) =>
  expected
    .map((set) => set.get(name))
    .map((value) => (isPlainArray(value) ? `${value.type}[${value.dims}]` : ''))
    .join();

/** Only one set of sizes. */
const oneSet: Step = ({ program, feeds }) => (feeds.length > 1 ? feeds.map((set) => ({ program, feeds: [set] })) : []);

/** Symbols become the sizes that they stand for. */
const fixedSizes: Step = ({ program, feeds, expected }) => {
  const [values] = expected as readonly [Values];
  const sized = program.inputs.map((input) => ({ ...input, dims: (values.get(input.name) as PlainArray).dims }));
  const isOpen = program.inputs.some(({ dims }) => dims.some((d) => typeof d === 'string'));
  return feeds.length === 1 && isOpen ? [{ program: { ...program, inputs: sized }, feeds }] : [];
};

/** Fed numbers become whole. */
const wholeNumbers: Step = ({ program, feeds }) =>
  program.inputs.map(({ name }) => {
    const whole = (value: PlainValue | undefined): PlainValue => {
      if (!isPlainArray(value)) return value ?? null;
      return { ...value, data: value.data.map((x) => (typeof x === 'number' ? Math.round(x) : x)) };
    };
    const isWhole = feeds.every(
      (set) => JSON.stringify(whole(set.get(name)), replacer) === JSON.stringify(set.get(name), replacer),
    );
    return isWhole
      ? undefined
      : { program, feeds: feeds.map((set) => new Map([...set, [name, whole(set.get(name))]])) };
  });

const replacer = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

const STEPS: readonly Step[] = [
  oneSet,
  oneOutput,
  oneOutputLess,
  earlierOutput,
  fedNode,
  withoutNode,
  fixedSizes,
  wholeNumbers,
];

/** Takes away from the case what it does not need to fail so. `deadline`: milliseconds to spend. */
export async function minimise(c: Case, finding: Finding, deadline = 20_000): Promise<Minimal> {
  const end = performance.now() + deadline;
  let best = { case: c, finding };
  for (let changed = true; changed; ) {
    changed = false;
    for (const step of STEPS) {
      const smaller = await firstFailing(best, step, end);
      if (!smaller) continue;
      best = smaller;
      changed = true;
    }
  }
  return { ...best, rewrites: await bisect(best.case, best.finding) };
}

type Failing = Omit<Minimal, 'rewrites'>;

async function firstFailing(best: Failing, step: Step, end: number): Promise<Failing | undefined> {
  for (const candidate of step(best.case)) {
    if (performance.now() > end) return undefined;
    if (!candidate || candidate.program.nodes.length === 0) continue;
    const failing = await failingStill(candidate, best.finding.mode, best.finding.kind);
    if (failing) return failing;
  }
  return undefined;
}

async function failingStill({ program, feeds }: Pick<Case, 'program' | 'feeds'>, mode: Mode, kind: Finding['kind']) {
  try {
    const c = await caseOf(program, feeds);
    const finding = await findingIn(mode, c);
    return finding?.kind === kind ? { case: c, finding } : undefined;
  } catch {
    return undefined;
  }
}

const MOST_REWRITES = 300;

/** The least number of rewrites with which it fails. */
async function bisect(c: Case, { mode, kind }: Finding): Promise<number | undefined> {
  if (mode.options.graphOptimizationLevel === 'disabled') return undefined;
  const fails = async (rewrites: number) => {
    const at = { ...mode, options: { ...mode.options, ...partly(rewrites).options } };
    return (await findingIn(at, c))?.kind === kind;
  };
  for (let rewrites = 0; rewrites < MOST_REWRITES; rewrites++) if (await fails(rewrites)) return rewrites;
  return undefined;
}
