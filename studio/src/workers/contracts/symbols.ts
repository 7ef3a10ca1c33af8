import type { ValueMetadata } from 'sardonyx';

/** Whether the shape is [N, C, H, W] or [N, H, W, C], with or without N, with 1, 3 or 4 channels. */
export function takesPicture(input: ValueMetadata): boolean {
  if (!input.isTensor || (input.shape.length !== 3 && input.shape.length !== 4)) return false;
  if (!/^(u?int|float|bfloat)/.test(input.type)) return false;
  const isDepth = (size: number | string | undefined) => size === 1 || size === 3 || size === 4;
  return isDepth(input.shape.at(-3)) || isDepth(input.shape.at(-1));
}

/** The open dimensions of all inputs, each once, with their default sizes. */
export function symbolsOf(inputs: readonly ValueMetadata[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const input of inputs) {
    if (!input.isTensor) continue;
    const sides = takesPicture(input) ? sidesOf(input.shape) : [];
    input.shape.forEach((size, axis) => {
      if (typeof size === 'string' && !found.has(size)) found.set(size, sides.includes(axis) ? SIDE : 1);
    });
  }
  return found;
}

/** The title of a symbol; those without a name in the model are described by their position. */
export function symbolTitle(symbol: string, inputs: readonly ValueMetadata[]): string {
  if (!symbol.startsWith('?')) return symbol;
  const input = inputs.find((each) => each.isTensor && each.shape.includes(symbol));
  return input?.isTensor ? `${input.name}, axis ${input.shape.indexOf(symbol)}` : symbol;
}

const SIDE = 64;

/** The axes of height and width. */
function sidesOf(shape: readonly (number | string)[]): number[] {
  const isFirst = [1, 3, 4].includes(shape.at(-3) as number);
  return isFirst ? [shape.length - 2, shape.length - 1] : [shape.length - 3, shape.length - 2];
}
