import type { ValueMetadata } from 'sardonyx';
import { inputs } from '../../store/session.js';
import { takesPicture } from '../../workers/contracts/symbols.js';
import { giveFile } from './give-file.js';
import { PictureFields } from './picture-fields.js';
import { pictureOf } from './sources.js';

/** A picture, `.npy`, `.pb` or sound file. */
export function FileField({ input }: { input: ValueMetadata }) {
  const choice = inputs.value.get(input.name);
  const isPicture = choice?.kind === 'file' && !/\.(npy|pb)$/i.test(choice.file.name);
  return (
    <>
      <label class="label">
        File{choice?.kind === 'file' ? `: ${choice.file.name}` : ' (choose or drop)'}
        <input
          class="field"
          type="file"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void giveFile(input, file);
          }}
        />
      </label>
      {isPicture && takesPicture(input) && <PictureFields name={input.name} value={pictureOf(choice)} />}
    </>
  );
}
