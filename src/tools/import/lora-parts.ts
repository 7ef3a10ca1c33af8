import { SardonyxError } from '../../base/errors.js';
import { numbersOf } from '../../tensor/numbers.js';
import { readJson } from './json.js';
import { tensorIn } from './reshaped.js';
import type { StoredWeight } from './stored-weight.js';
import type { WeightFile } from './weight-file.js';

/** The update of a layer's weight: scale · up · down. */
export interface Addition {
  /** The name of the layer in the file. */
  readonly layer: string;
  /** [rank, inputs …] */
  readonly down: StoredWeight;
  /** [outputs, rank …] */
  readonly up: StoredWeight;
  readonly scale: number;
}

/** The `adapter_config.json` of PEFT. */
export interface LoraConfig {
  /** The rank. */
  readonly r?: number;
  /** The numerator of the scale, alpha / rank. */
  readonly lora_alpha?: number;
  /** Whether the scale is alpha / √rank. */
  readonly use_rslora?: boolean;
  /** Whether the adapter uses DoRA, which is not supported. */
  readonly use_dora?: boolean;
  /** Whether the weights are stored as [inputs, outputs]. */
  readonly fan_in_fan_out?: boolean;
  /** Ranks of single layers, by the ends of their names. */
  readonly rank_pattern?: Readonly<Record<string, number>>;
  /** Alphas of single layers, by the ends of their names. */
  readonly alpha_pattern?: Readonly<Record<string, number>>;
}

/** Names of LoRA weights in PEFT, diffusers, and kohya and compatible trainers. */
const PART = /^(.*)[._](lora_A|lora_B|lora_down|lora_up|lora\.down|lora\.up)(\.[^.]+)?\.weight$/;
const ALPHA = /^(.*)\.alpha$/;
const DOWN = /A$|down$/;

interface Parts {
  down?: StoredWeight;
  up?: StoredWeight;
  alpha?: number;
}

/** The updates in a file, and problems with other names in it. */
export async function additionsIn(
  { tensors }: WeightFile,
  config: LoraConfig | undefined,
): Promise<{ readonly additions: readonly Addition[]; readonly problems: readonly string[] }> {
  const layers = new Map<string, Parts>();
  const problems: string[] = [];
  const at = (layer: string): Parts => {
    const parts = layers.get(layer) ?? {};
    layers.set(layer, parts);
    return parts;
  };
  for (const [name, weight] of tensors) {
    const [, layer, part = ''] = PART.exec(name) ?? [];
    const [, scaled] = ALPHA.exec(name) ?? [];
    if (layer !== undefined) at(layer)[DOWN.test(part) ? 'down' : 'up'] = weight;
    else if (scaled !== undefined) at(scaled).alpha = await only(weight);
    else problems.push(`${JSON.stringify(name)}: not a LoRA weight`);
  }
  const additions = [...layers].flatMap(([layer, { down, up, alpha }]) => {
    const [rank] = down?.dims ?? [];
    if (down && up && rank && up.dims[1] === rank)
      return [{ layer, down, up, scale: scaleOf(layer, rank, alpha, config) }];
    problems.push(
      `${JSON.stringify(layer)}: ${down && up ? 'the A and B weights have different ranks' : 'the A or B weight is missing'}`,
    );
    return [];
  });
  return { additions, problems };
}

async function only({ type, dims, read }: StoredWeight): Promise<number> {
  return numbersOf(tensorIn(type, dims, await read()))[0] as number;
}

/** The value of the first pattern that the layer's name ends with. */
const patterned = (layer: string, patterns: Readonly<Record<string, number>> = {}): number | undefined =>
  Object.entries(patterns).find(([end]) => layer === end || layer.endsWith(`.${end}`))?.[1];

/** The scale alpha / rank. Alpha is that of the file or its configuration, or else the rank. */
function scaleOf(layer: string, rank: number, own: number | undefined, config: LoraConfig = {}): number {
  const alpha = own ?? patterned(layer, config.alpha_pattern) ?? config.lora_alpha ?? rank;
  return alpha / (config.use_rslora ? Math.sqrt(rank) : rank);
}

const CONFIG = 'adapter_config.json';

/** Reads the configuration next to a weight file, unless it is given. kohya files have none. */
export async function configBeside(
  { beside }: WeightFile,
  given: LoraConfig | undefined,
): Promise<LoraConfig | undefined> {
  const file = given ? undefined : await beside(CONFIG).catch(() => undefined);
  const config = file ? await readJson<LoraConfig>(file, CONFIG) : given;
  if (config?.use_dora) throw new SardonyxError('INVALID_ARGUMENT', 'DoRA adapters are not supported');
  return config;
}
