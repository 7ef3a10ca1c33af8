import type { Model } from '../../../model/document/model.js';
import type { EditedNode, EditedValue } from '../../surgery/edit/graph.js';
import { isOnlyRead, isStandard, type Layer, numbersOf } from './layers.js';

/** Two layers. Only the second reads the output of the first, channel by channel. */
export interface Pair {
  readonly first: Layer;
  readonly second: Layer;
  /** A Clip with an upper bound between the layers, which prevents scaling. */
  readonly clip?: { readonly node: EditedNode; readonly most: number } | undefined;
  /** Whether a positive offset of channels can move to the second layer. */
  readonly absorbs: boolean;
}

/** Operators between layers that channels can be scaled across. `constants`: constant offsets can move across, too. */
const PASSING: Readonly<Record<string, 'scales' | 'constants'>> = {
  Identity: 'constants',
  Dropout: 'constants',
  Flatten: 'constants',
  GlobalAveragePool: 'constants',
  GlobalMaxPool: 'constants',
  Relu: 'constants',
  MaxPool: 'scales',
  AveragePool: 'scales',
  LeakyRelu: 'scales',
  PRelu: 'scales',
};

/** The bounds of a Clip: attributes before opset 11, inputs since. */
async function boundsOf(model: Model, node: EditedNode): Promise<readonly (number | undefined)[]> {
  const read = async (name: string, at: number) =>
    node.inputs[at] ? (await numbersOf(model, node.inputs[at]))?.[0] : (node.attribute(name) as number | undefined);
  return Promise.all([read('min', 1), read('max', 2)]);
}

const PADDED = ['pads', 'auto_pad'] as const;

/** Whether a layer has no padding. */
function isUnpadded({ node }: Layer): boolean {
  const [pads, kind] = PADDED.map((name) => node.attribute(name));
  const isEmpty = !Array.isArray(pads) || pads.every((n) => n === 0);
  return node.op !== 'ConvTranspose' && isEmpty && (kind === undefined || kind === 'NOTSET' || kind === 'VALID');
}

/** The pair of a layer and the only layer that reads its output. */
export async function pairOf(
  model: Model,
  first: Layer,
  layers: ReadonlyMap<EditedNode, Layer>,
): Promise<Pair | undefined> {
  let value: EditedValue | null | undefined = first.node.outputs[0];
  let [clip, isCut, passesConstants]: [Pair['clip'], boolean, boolean] = [undefined, false, true];
  while (value && isOnlyRead(value)) {
    const node = value.readers[0] as EditedNode;
    const second = layers.get(node);
    if (second) {
      if (node.inputs[0] !== value || second.inputs.count !== first.outputs.count) return undefined;
      return { first, second, clip, absorbs: isCut && passesConstants && isUnpadded(second) };
    }
    if (!isStandard(node)) return undefined;
    if (node.op === 'Clip' && !clip) {
      const [least, most] = await boundsOf(model, node);
      if (least !== 0 || most === undefined) return undefined;
      clip = { node, most };
    } else if (!Object.hasOwn(PASSING, node.op) || node.inputs[0] !== value) return undefined;
    isCut ||= node.op === 'Relu' || node.op === 'Clip';
    passesConstants &&= node.op === 'Clip' || PASSING[node.op] === 'constants';
    value = node.outputs[0];
  }
  return undefined;
}
