import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { task } from '../../store/notices.js';
import type { SeenTensor } from '../../store/seen-tensor.js';
import { download } from '../../ui/download.js';
import { Icon } from '../../ui/icon.js';
import { Histogram } from './histogram.js';
import { Statistics } from './statistics.js';
import { TensorImage } from './tensor-image.js';
import { TensorTable } from './tensor-table.js';
import './tensors.css';
import type { Summary, TensorPicture } from '../../workers/contracts/tensors.js';

/** Everything about a tensor: statistics, histogram, picture and table. */
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
