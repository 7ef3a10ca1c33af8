import { signal } from '@preact/signals';
import type { Search } from '../../workers/contracts/find.js';
import { KINDS } from '../../workers/contracts/search-index.js';

/** What was looked for last: it is there again when the panel is opened again. */
export const searched = signal<Search>({ text: '', kinds: KINDS });
