import { AskForLinkedFile } from '../links/linked-file.js';
import { pick } from '../opening/open.js';
import { RecentFiles } from '../opening/recent-files.js';
import { openSample, SAMPLES } from '../samples/samples.js';
import { startTour } from '../tour/tour.js';

export const Welcome = () => (
  <div class="welcome">
    <AskForLinkedFile />
    <div class="welcome-frame">
      <h2>Drop an ONNX model here</h2>
      <p class="quiet">
        Or drop a folder with a model and its weights, or a training log. View the graph, run the model, and see where
        time and memory go. You can also look at ORT, TensorFlow Lite, safetensors, and GGUF files. Your files stay on
        your computer.
      </p>
      <div class="row">
        <button type="button" class="button primary" onClick={() => pick('files')}>
          Open files
        </button>
        <button type="button" class="button" onClick={() => pick('folder')}>
          Open folder
        </button>
        <button type="button" class="button" onClick={() => void startTour()}>
          Take the tour
        </button>
      </div>
    </div>
    <section class="samples" aria-label="Samples">
      <h3>Samples</h3>
      <ul class="row">
        {SAMPLES.map((sample) => (
          <li key={sample.title}>
            <button type="button" class="button sample" onClick={() => void openSample(sample)}>
              <strong>{sample.title}</strong>
              <span class="quiet">{sample.about}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
    <RecentFiles />
  </div>
);
