import { SardonyxError } from '../../base/errors.js';

export const ofAnother = (): SardonyxError =>
  new SardonyxError('INVALID_ARGUMENT', 'the state is of another session: make one by its createState');
