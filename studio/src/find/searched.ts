import { signal } from '@preact/signals';
import { KINDS } from './search-index.js';
import type { Search } from './service.js';

/** What was looked for last: it is there again when the panel is opened again. */
export const searched = signal<Search>({ text: '', kinds: KINDS });
