import type { StateOptions } from './options.js';
import { SessionState, type Stateful } from './state.js';

export const stateOf = (owner: Stateful, options?: StateOptions): SessionState => new SessionState(owner, options);
