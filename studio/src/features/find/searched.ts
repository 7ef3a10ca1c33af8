import { signal } from '@preact/signals';
import type { Search } from '../../workers/contracts/find.js';
import { KINDS } from '../../workers/contracts/search-index.js';

/** The last search, restored when the panel is opened again. */
export const searched = signal<Search>({ text: '', kinds: KINDS });
