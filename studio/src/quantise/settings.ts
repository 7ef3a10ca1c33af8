import type { Settings } from './service.js';

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
