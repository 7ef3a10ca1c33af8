import { inputs, setInput } from '../../store/session.js';
import { Check } from '../../ui/check.js';
import { Choice } from '../../ui/choice.js';
import type { PictureChoices } from '../../workers/contracts/feeding.js';
import { NORMALIZATIONS } from '../session/normalizations.js';

const FITS = [
  ['cover', 'Crop'],
  ['contain', 'Pad'],
  ['stretch', 'Stretch'],
] as const;

/** The conversion of a picture to numbers. */
export function PictureFields({ name, value }: { name: string; value: PictureChoices }) {
  const set = (change: Partial<PictureChoices>) => {
    const choice = inputs.value.get(name);
    if (choice && 'picture' in choice) setInput(name, { ...choice, picture: { ...value, ...change } });
  };
  return (
    <div class="row fields">
      <Choice title="Fit" options={FITS} value={value.fit} onChange={(fit) => set({ fit })} />
      <Choice
        title="Pixel range"
        options={NORMALIZATIONS}
        value={value.normalize}
        onChange={(normalize) => set({ normalize })}
      />
      <Check title="BGR channel order" value={value.isBgr} onChange={(isBgr) => set({ isBgr })} />
    </div>
  );
}
