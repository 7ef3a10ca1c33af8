import { pick } from '../opening/open.js';
import { RecentFiles } from '../opening/recent-files.js';
import { startTour } from '../tour/tour.js';

export const Welcome = () => (
  <div class="welcome">
    <h2>Drop an ONNX model here</h2>
    <p class="quiet">
      A file, a folder with its weights, or a log of training. See the graph, run it, and know where time and memory go.
      Nothing leaves this page.
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
    <RecentFiles />
  </div>
);
