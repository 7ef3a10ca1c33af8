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

/** Cases of one opset side by side in one model: many small graphs are work for a team, and share the cost of its start. */
function together(cases: readonly Case[]): Case {
  const programs = cases.map(({ program }, i) => renamed(program, `g${i}_`));
  const program: Program = {
    opset: programs[0]?.opset as number,
    inputs: programs.flatMap(({ inputs }) => inputs),
    constants: programs.flatMap(({ constants }) => constants),
    functions: programs.flatMap(({ functions }) => functions),
    nodes: programs.flatMap(({ nodes }) => nodes),
    outputs: programs.flatMap(({ outputs }) => outputs),
  };
  const sets = (of: 'feeds' | 'expected') =>
    (cases[0] as Case)[of].map(
      (_, set) =>
        new Map(
          cases.flatMap((c, i) => [...(c[of][set] ?? [])].map(([key, value]) => [`g${i}_${key}`, value] as const)),
        ),
    );
  return { program, bytes: bytesOf(program), feeds: sets('feeds'), expected: sets('expected') };
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
