import { inputs, setInput } from '../../store/session.js';
import { Check } from '../../ui/check.js';
import { Choice } from '../../ui/choice.js';
import type { PictureChoices } from '../../workers/contracts/feeding.js';
import { NORMALIZATIONS } from '../session/normalizations.js';

const FITS = [
  ['cover', 'Cut the surplus'],
  ['contain', 'Add borders'],
  ['stretch', 'Stretch'],
] as const;

/** How a picture becomes numbers. */
export function PictureFields({ name, value }: { name: string; value: PictureChoices }) {
  const set = (change: Partial<PictureChoices>) => {
    const choice = inputs.value.get(name);
    if (choice && 'picture' in choice) setInput(name, { ...choice, picture: { ...value, ...change } });
  };
  return (
    <div class="row fields">
      <Choice title="Size" options={FITS} value={value.fit} onChange={(fit) => set({ fit })} />
      <Choice
        title="Colours"
        options={NORMALIZATIONS}
        value={value.normalize}
        onChange={(normalize) => set({ normalize })}
      />
      <Check title="Blue first" value={value.isBgr} onChange={(isBgr) => set({ isBgr })} />
    </div>
  );
}
