import { done, session } from '../../store/session.js';
import { Choice } from '../../ui/choice.js';
import { counted } from '../../ui/quantities.js';
import { labels } from './state.js';

/** The classes of well-known data sets, in order. MNIST needs none: its classes are the digits. */
const KNOWN_LABELS: readonly { readonly id: string; readonly names: readonly string[] }[] = [
  { id: 'CIFAR-10', names: 'airplane automobile bird cat deer dog frog horse ship truck'.split(' ') },
  {
    id: 'Fashion-MNIST',
    names: 'T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot'.split(','),
  },
];

/** Offers the class names of data sets that have as many classes as an output; the shape does not tell which one is right. */
export function LabelChoice() {
  const told = session.value?.outputs.map((output) => (output.isTensor ? output.shape.at(-1) : undefined)) ?? [];
  const seen = done.value[0]?.outputs.map(({ tensor }) => tensor?.dims.at(-1)) ?? [];
  const counts = [...told, ...seen];
  const fitting = KNOWN_LABELS.filter(({ names }) => counts.includes(names.length));
  const chosen = KNOWN_LABELS.find(({ names }) => names === labels.value);
  return (
    <>
      {fitting.length > 0 && (
        <Choice
          title="Class labels"
          value={chosen?.id ?? ''}
          options={[
            ['', labels.value && !chosen ? 'From the model or your file' : 'Numbers'],
            ...fitting.map(({ id }) => [id, id] as const),
          ]}
          onChange={(wanted) => {
            labels.value = KNOWN_LABELS.find(({ id }) => id === wanted)?.names ?? null;
          }}
        />
      )}
      <p class="quiet">
        {labels.value
          ? `${counted(labels.value.length, 'class label')} loaded.`
          : 'To name the classes, drop a text file with one label per line.'}
      </p>
    </>
  );
}
