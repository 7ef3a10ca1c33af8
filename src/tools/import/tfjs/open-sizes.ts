import { mapSizes, type ValueType } from '../../../graph/types.js';

/** A type with names of its own for sizes that nobody knows. */
export const withOpenSizes = (type: ValueType, name: string): ValueType =>
  mapSizes(type, (size) =>
    typeof size === 'string' && size.includes('?') ? `${name}_${size.replace(/\W/g, '')}` : size,
  );
