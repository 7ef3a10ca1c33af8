import { expose, transfer } from 'comlink';
import type { LayoutService, Modules, Picture } from '../graph/picture.js';
import { layoutService } from './service.js';

const service = layoutService();

/** Every column by itself: none shares its memory with another. */
const buffers = (columns: object): ArrayBuffer[] =>
  Object.values(columns).flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));

const transferred: LayoutService = {
  open(outline): Modules {
    const modules = service.open(outline);
    return transfer({ ...modules, ofNode: modules.ofNode.slice() }, []);
  },
  picture(options): Picture {
    const picture = service.picture(options);
    return transfer(picture, [...buffers(picture.boxes), ...buffers(picture.edges)]);
  },
};

expose(transferred);
