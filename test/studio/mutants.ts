import { ModelProto } from '../../build/onnx.js';

/** Mulberry32: equal seeds give equal damage. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Were it taken for HTML, it would say so. */
export const TRAP = '<img src=x onerror="window.caught=1"><script>window.caught=1</script>';

const whole = (random: Random, below: number): number => Math.floor(random() * below);

/** Most of a file is weights, which tell nothing: half of the damage is done to the structure before them. */
function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  for (let i = 0; i < 8; i++) {
    const reach = i % 2 ? Math.min(2000, bytes.length) : bytes.length;
    bytes[whole(random, reach)] = whole(random, 256);
  }
  return bytes;
}

interface Slot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** Every field of a message and of those in it, weights aside. */
function slotsOf(message: unknown, found: Slot[] = []): Slot[] {
  if (typeof message !== 'object' || message === null || ArrayBuffer.isView(message)) return found;
  const holder = message as Record<string, unknown>;
  for (const key of Object.keys(holder).slice(0, 400)) {
    found.push({ holder, key });
    slotsOf(holder[key], found);
  }
  return found;
}

const NAMES = [TRAP, '', '\0', '__proto__', 'constructor', '../../etc/passwd', 'x'.repeat(70_000), '\u202e\ud800'];
const NUMBERS = [-1, 0, 1, 2 ** 31 - 1, -(2 ** 31), 2 ** 20, 99];

const pick = <T>(list: readonly T[], random: Random): T => list[whole(random, list.length)] as T;

/** A field becomes something else of its kind: another's name, an extreme number, a list that is shorter, longer or empty. */
function changed(value: unknown, others: readonly Slot[], random: Random): unknown {
  if (typeof value === 'string') return random() < 0.5 ? pick(NAMES, random) : pick(stringsIn(others), random);
  if (typeof value === 'number') return pick(NUMBERS, random);
  if (typeof value === 'boolean') return !value;
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).subarray(0, whole(random, 9));
  if (!Array.isArray(value)) return value;
  return pick([() => [], () => [...value, ...value], () => value.slice(1), () => [...value].reverse()], random)();
}

const stringsIn = (slots: readonly Slot[]): string[] =>
  slots.map(({ holder, key }) => holder[key]).filter((value) => typeof value === 'string');

/** A model that can be read, most often, and says something else in one to four places. */
function rewritten(bytes: Uint8Array, random: Random): Uint8Array {
  const proto = ModelProto.decode(bytes);
  for (let left = 1 + whole(random, 4); left > 0; left--) {
    const slots = slotsOf(proto);
    const { holder, key } = pick(slots, random);
    holder[key] = changed(holder[key], slots, random);
  }
  return ModelProto.encode(proto).finish();
}

/** Names and documentation are traps, whatever they were. */
function trapped(bytes: Uint8Array, random: Random): Uint8Array {
  const proto = ModelProto.decode(bytes);
  for (const { holder, key } of slotsOf(proto))
    if (typeof holder[key] === 'string' && key !== 'opType' && random() < 0.3) holder[key] = TRAP;
  return ModelProto.encode(proto).finish();
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  damaged,
  cut: (bytes, random) => damaged(bytes.slice(0, whole(random, bytes.length)), random),
  rewritten,
  trapped,
};

export interface Mutant {
  readonly name: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
}

/** The mutant of a seed, of one of the models. */
export function mutantOf(seed: number, models: Readonly<Record<string, Uint8Array>>): Mutant {
  const random = randomNumbers(seed);
  const model = pick(Object.keys(models), random);
  const kind = pick(['damaged', 'cut', 'rewritten', 'rewritten', 'rewritten', 'trapped'], random);
  const bytes = (MUTATIONS[kind] as Mutation)(Uint8Array.from(models[model] as Uint8Array), random);
  return { name: `${seed} ${kind} ${model}.onnx`, kind, bytes };
}
