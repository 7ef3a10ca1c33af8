import type { ValueMetadata } from 'sardonyx';
import { type InputChoice, PICTURE_CHOICES } from '../../workers/contracts/feeding.js';
import { takesPicture } from '../../workers/contracts/symbols.js';

/** Sources of an input's value, in the order in which they are offered. */
export const SOURCES = [
  { id: 'generated', title: 'Random values', suits: () => true },
  { id: 'file', title: 'File', suits: () => true },
  { id: 'draw', title: 'Drawing', suits: takesPicture },
  { id: 'camera', title: 'Camera', suits: takesPicture },
  { id: 'microphone', title: 'Microphone', suits: takesSound },
  { id: 'numbers', title: 'Typed values', suits: takesNumbers },
  { id: 'texts', title: 'Typed strings', suits: (input) => input.isTensor && input.type === 'string' },
] as const satisfies readonly { id: string; title: string; suits: (input: ValueMetadata) => boolean }[];

export type SourceId = (typeof SOURCES)[number]['id'];

/** Rows of samples: few dimensions, the last one open or long. */
function takesSound(input: ValueMetadata): boolean {
  if (!input.isTensor || !/^(float32|float64|int16)$/.test(input.type) || input.shape.length > 3) return false;
  const last = input.shape.at(-1);
  const others = input.shape.slice(0, -1);
  return (
    others.every((size) => size === 1 || typeof size === 'string') && (typeof last === 'string' || (last ?? 0) >= 400)
  );
}

const MOST_TYPED = 4096;

function takesNumbers(input: ValueMetadata): boolean {
  if (!input.isTensor || input.type === 'string') return false;
  const fixed = input.shape.reduce<number>((product, size) => product * (typeof size === 'number' ? size : 1), 1);
  return fixed <= MOST_TYPED;
}

/** The initial choice of a source; null until the user provides something. */
export const firstChoice = (id: SourceId): InputChoice | null =>
  id === 'generated'
    ? { kind: 'generated', seed: 0 }
    : id === 'numbers' || id === 'texts'
      ? { kind: 'numbers', text: '' }
      : null;

export const pictureOf = (choice: InputChoice | undefined) =>
  choice && 'picture' in choice ? choice.picture : PICTURE_CHOICES;
