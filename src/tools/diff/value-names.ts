import type { GraphProto } from '../../../build/onnx.js';
import { type Body, inputsOf, isGraph } from '../surgery/bodies.js';
import type { Pairs } from './match-nodes.js';

export type Renamed = (name: string) => string;

/** Maps value names of one body to the other, by paired producers, or by readers. */
export function valueNames(a: Body, b: Body, pairs: Pairs, around: Renamed): Renamed {
  const names = new Map<string, string>();
  const pair = (before: readonly string[], after: readonly string[]) => {
    for (const [i, name] of before.entries()) if (name && after[i] && !names.has(name)) names.set(name, after[i]);
  };
  for (const [before, after] of pairs) pair(before.output, after.output);
  pair(...apart(inputsOf(a), inputsOf(b), names));
  if (isGraph(a) && isGraph(b)) {
    const [gone, come] = apart(constantsIn(a), constantsIn(b), names).map((list) => new Set(list));
    for (const [before, after] of pairs)
      for (const [i, name] of before.input.entries())
        if (gone?.has(name) && come?.delete(after.input[i] ?? '') && gone.delete(name))
          names.set(name, after.input[i] as string);
  }
  return (name) => names.get(name) ?? around(name);
}

const constantsIn = ({ initializer }: GraphProto): string[] => initializer.map(({ name }) => name);

/** The names that are in only one of the lists. Names in both map to themselves. */
function apart(a: readonly string[], b: readonly string[], names: Map<string, string>): [string[], string[]] {
  const [left, right] = [new Set(a), new Set(b)];
  for (const name of a) if (right.has(name)) names.set(name, name);
  return [a.filter((name) => !right.has(name)), b.filter((name) => !left.has(name))];
}
