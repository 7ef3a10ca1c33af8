import { filesListed } from '../../store/found-files.js';
import { FileButton } from '../../ui/file-button.js';
import { Pick } from '../../ui/pick.js';
import { counted } from '../../ui/quantities.js';
import { NORMALIZATIONS } from '../session/normalizations.js';
import { normalize, samples, takeSamples } from './state.js';

/** The samples for calibrating ranges and measuring errors. */
export const SampleFields = () => (
  <section class="stack">
    <h3>Samples</h3>
    <p class="quiet">
      {samples.value.length > 0
        ? `${counted(samples.value.length, 'file')}, starting with ${samples.value[0]?.path}`
        : 'No samples: the studio uses random values, which show the size but not the accuracy. Drop images, .npy arrays, or data sets here.'}
    </p>
    <div class="row fields">
      <FileButton title="Choose files" isMultiple onFiles={(files) => takeSamples(filesListed(files))} />
      <Pick title="Pixel range" of={normalize} options={NORMALIZATIONS} />
    </div>
  </section>
);
