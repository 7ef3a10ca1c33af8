import { atHandOr } from './at-hand.js';
import { SardonyxError } from './errors.js';
import { codeOfMissingScript } from './not-loaded.js';

/** Loads a module when it is first needed. `instead` is the remedy in service workers, which do not support `import()`. */
export const onDemand = <T>(
  name: string,
  load: () => Promise<T>,
  instead = "import 'sardonyx/inline', which includes it,",
): Promise<T> =>
  atHandOr(name, load).catch((cause) => {
    throw new SardonyxError(codeOfMissingScript(cause), `${cause.message}; ${instead} instead`, {}, { cause });
  });
