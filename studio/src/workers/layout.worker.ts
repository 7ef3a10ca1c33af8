import { expose, transfer } from 'comlink';
import { buffersOf } from '../graph/buffers.js';
import type { LayoutService } from '../graph/picture.js';
import { layoutService } from '../layout/service.js';

const service = layoutService();

/** Transfers pictures; modules are copied, because the service keeps using its own. */
const inWorker: LayoutService = {
  open: service.open,
  describe: service.describe,
  picture(options) {
    const picture = service.picture(options);
    return transfer(picture, buffersOf(picture));
  },
  draw(outline, options) {
    const drawn = service.draw(outline, options);
    return transfer(drawn, buffersOf(drawn.picture));
  },
  rehearse: service.rehearse,
};

expose(inWorker);
