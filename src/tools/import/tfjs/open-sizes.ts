import { formatSize, hasUnnamed, symbol } from '../../../graph/sizes.js';
import { mapSizes, type ValueType } from '../../../graph/types.js';

/** Names the unnamed sizes of a type. */
export const withOpenSizes = (type: ValueType, name: string): ValueType =>
  mapSizes(type, (size) => (hasUnnamed(size) ? symbol(`${name}_${formatSize(size).replace(/\W/g, '')}`) : size));
