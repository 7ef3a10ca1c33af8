import type { Settings } from '../../workers/contracts/quantize.js';

export const start: Settings = {
  method: 'static',
  bits: 4,
  block: 32,
  rounding: 'rtn',
  calibration: 'minmax',
  perChannel: true,
  repair: [],
  exclude: [],
};
