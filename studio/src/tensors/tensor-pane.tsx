import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { download } from '../design/download.js';
import { Icon } from '../design/icon.js';
import { task } from '../workspace/notices.js';
import { Histogram } from './histogram.js';
import type { TensorPicture } from './paint.js';
import type { SeenTensor } from './seen.js';
import type { Summary } from './sketch.js';
import { Statistics } from './statistics.js';
import { TensorImage } from './tensor-image.js';
import { TensorTable } from './tensor-table.js';
import './tensors.css';

/** All that is to be seen of a tensor: figures, histogram, picture and table. */
export function TensorPane({ tensor }: { tensor: SeenTensor }) {
  const { title, type, dims, look, write } = tensor;
  const summary = useSignal<Summary | undefined>(undefined);
  const picture = useSignal<TensorPicture | undefined>(undefined);
  const failure = useSignal('');
  useEffect(() => {
    const failed = (error: Error) => {
      failure.value = error.message;
    };
    look.picture().then((seen) => {
      picture.value = seen;
    }, failed);
    look.summary().then((seen) => {
      summary.value = seen;
    }, failed);
  }, [look]);
  const save = () =>
    task(`Writing ${title}.npy`, async () => download(`${title.replace(/[^\w.-]+/g, '_')}.npy`, await look.npy()));
  return (
    <div class="tensor">
      <div class="row">
        <span class="mono">
          {type}[{dims.join(', ')}]
        </span>
        <button type="button" class="button" onClick={() => void save()}>
          <Icon name="save" />
          Save as .npy
        </button>
      </div>
      {failure.value && <p role="alert">{failure.value}</p>}
      <div class="tensor-figures">
        {summary.value && <Statistics of={summary.value} />}
        {summary.value && <Histogram data={summary.value.histogram} />}
        {picture.value && <TensorImage of={picture.value} />}
      </div>
      <TensorTable look={look} dims={dims} write={write} />
    </div>
  );
}
