import { expose, transfer } from 'comlink';
import type { LayoutService, Picture } from '../graph/picture.js';
import { layoutService } from './service.js';

const service = layoutService();

/** Pictures are handed over; modules are copied, as the service goes on with its own. */
const inWorker: LayoutService = {
  open: service.open,
  picture(options): Picture {
    const picture = service.picture(options);
    return transfer(picture, [...buffersOf(picture.boxes), ...buffersOf(picture.edges)]);
  },
};

const buffersOf = (columns: object): ArrayBuffer[] =>
  Object.values(columns).flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));

expose(inWorker);
