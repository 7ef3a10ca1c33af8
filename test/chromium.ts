import { existsSync } from 'node:fs';

const SHELL = '/usr/bin/chromium-headless-shell';

/** Chromium as Debian installs it. */
export const WHOLE_CHROMIUM = '/usr/bin/chromium';

/**
 * The browser for tests of pages: Chromium's headless shell where it is installed, since the same stories of the studio take it a quarter less
 * processor time. The environment variable `CHROMIUM` names another.
 */
export const CHROMIUM = process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : WHOLE_CHROMIUM);
