import { Choice } from '../design/choice.js';
import { FileButton } from '../design/file-button.js';
import { counted } from '../design/quantities.js';
import { filesListed } from '../opening/gather.js';
import { normalize, samples, takeSamples } from './state.js';

const NORMALIZATIONS = [
  ['unit', '0 … 1'],
  ['signed', '−1 … 1'],
  ['imagenet', 'ImageNet'],
  ['clip', 'CLIP'],
  ['bytes', '0 … 255'],
] as const;

/** What ranges are found by, and what is lost is measured on. */
export const SampleFields = () => (
  <section class="stack">
    <h3>Samples</h3>
    <p class="quiet">
      {samples.value.length > 0
        ? `${counted(samples.value.length, 'file')}, the first ${samples.value[0]?.path}`
        : 'None: random values, which show the size and not the accuracy. Drop pictures, .npy arrays or data sets here.'}
    </p>
    <div class="row fields">
      <FileButton title="Choose files" isMultiple onFiles={(files) => takeSamples(filesListed(files))} />
      <Choice
        title="Pixels as"
        value={normalize.value}
        options={NORMALIZATIONS}
        onChange={(value) => {
          normalize.value = value;
        }}
      />
    </div>
  </section>
);
