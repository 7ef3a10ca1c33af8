import { Check } from '../design/check.js';
import { Choice } from '../design/choice.js';
import type { PictureChoices } from '../runs/choices.js';
import { inputs } from '../runs/current.js';
import { NORMALIZATIONS } from '../runs/normalizations.js';
import { choose } from './state.js';

const FITS = [
  ['cover', 'Crop'],
  ['contain', 'Pad'],
  ['stretch', 'Stretch'],
] as const;

/** How a picture becomes numbers. */
export function PictureFields({ name, value }: { name: string; value: PictureChoices }) {
  const set = (change: Partial<PictureChoices>) => {
    const choice = inputs.value.get(name);
    if (choice && 'picture' in choice) choose(name, { ...choice, picture: { ...value, ...change } });
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
