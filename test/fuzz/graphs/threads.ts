import type { PlainArray } from '../reference/array.js';
import { SETS } from './generate.js';
import { THREADED } from './modes.js';
import { bytesOf, type Program, type ProgramNode } from './program.js';
import { type Case, type Finding, findingIn } from './trial.js';

/** The program with other names, as part of a larger one. */
function renamed(program: Program, prefix: string): Program {
  const name = (old: string) => `${prefix}${old}`;
  const each = (names: readonly (string | null)[]) => names.map((old) => (old === null ? null : name(old)));
  const sized = (dims: readonly (number | string)[]) => dims.map((d) => (typeof d === 'string' ? name(d) : d));
  const input = <T extends { name: string; dims: readonly (number | string)[] }>(of: T): T => ({
    ...of,
    name: name(of.name),
    dims: sized(of.dims),
  });
  const node = (of: ProgramNode): ProgramNode => ({
    ...of,
    op: of.domain === 'local' ? name(of.op) : of.op,
    inputs: each(of.inputs),
    outputs: each(of.outputs),
    ...(of.bodies && {
      bodies: Object.fromEntries(
        Object.entries(of.bodies).map(([key, body]) => [
          key,
          { inputs: body.inputs.map(input), nodes: body.nodes.map(node), outputs: body.outputs.map(name) },
        ]),
      ),
    }),
  });
  return {
    opset: program.opset,
    inputs: program.inputs.map(input),
    constants: program.constants.map((constant) => ({ ...constant, name: name(constant.name) })),
    functions: program.functions.map((of) => ({
      name: name(of.name),
      inputs: of.inputs.map(name),
      nodes: of.nodes.map(node),
      outputs: of.outputs.map(name),
    })),
    nodes: program.nodes.map(node),
    outputs: program.outputs.map(name),
  };
}

/** Rows of a TopK: each is a tile, and a team is woken for a program of more than a few. */
const ROWS = 24;

/** The largest of many pairs: small operators have one tile each, and a program of nothing else would run on one thread. */
const WORK: Case = (() => {
  const pairs: PlainArray = { type: 'float32', dims: [ROWS, 2], data: new Array(ROWS).fill([1, 0]).flat() };
  const k: PlainArray = { type: 'int64', dims: [1], data: [1n] };
  const largest: PlainArray = { type: 'float32', dims: [ROWS, 1], data: new Array(ROWS).fill(1) };
  const program: Program = {
    opset: 0,
    inputs: [{ name: 'pairs', type: 'float32', dims: [ROWS, 2] }],
    constants: [{ name: 'k', value: k }],
    functions: [],
    nodes: [{ op: 'TopK', domain: '', inputs: ['pairs', 'k'], outputs: ['largest', 'where'], attributes: {} }],
    outputs: ['largest'],
  };
  const sets = <T>(value: T) => Array.from({ length: SETS }, () => value);
  return {
    program,
    bytes: new Uint8Array(),
    feeds: sets(new Map([['pairs', pairs]])),
    expected: sets(new Map([['largest', largest]])),
    samples: [],
  };
})();

/**
 * Cases of one opset side by side in one model: many small graphs are work for a team, and share the cost of its start.
 * Before each stands what wakes the team.
 */
function together(alone: readonly Case[]): Case {
  const cases = alone.flatMap((c) => [WORK, c]);
  const programs = cases.map(({ program }, i) => renamed(program, `g${i}_`));
  const program: Program = {
    opset: alone[0]?.program.opset as number,
    inputs: programs.flatMap(({ inputs }) => inputs),
    constants: programs.flatMap(({ constants }) => constants),
    functions: programs.flatMap(({ functions }) => functions),
    nodes: programs.flatMap(({ nodes }) => nodes),
    outputs: programs.flatMap(({ outputs }) => outputs),
  };
  const sets = (of: 'feeds' | 'expected') =>
    Array.from(
      { length: SETS },
      (_, set) =>
        new Map(
          cases.flatMap((c, i) => [...(c[of][set] ?? [])].map(([key, value]) => [`g${i}_${key}`, value] as const)),
        ),
    );
  return {
    program,
    bytes: bytesOf(program),
    feeds: sets('feeds'),
    expected: sets('expected'),
    samples: Array.from({ length: SETS }, () => []),
  };
}

/** Runs cases on three threads; the first that fails there, found by halving. */
export async function findingOnThreads(cases: readonly Case[]): Promise<{ at: Case; finding: Finding } | undefined> {
  for (const opset of new Set(cases.map(({ program }) => program.opset))) {
    const found = await halved(cases.filter(({ program }) => program.opset === opset));
    if (found) return found;
  }
  return undefined;
}

async function halved(cases: readonly Case[]): Promise<{ at: Case; finding: Finding } | undefined> {
  const all = together(cases);
  const finding = await findingIn(THREADED, all);
  if (!finding) return undefined;
  if (cases.length === 1) return { at: cases[0] as Case, finding };
  const middle = cases.length >> 1;
  return (await halved(cases.slice(0, middle))) ?? (await halved(cases.slice(middle))) ?? { at: all, finding };
}
