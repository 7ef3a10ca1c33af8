import { render } from 'preact';
import './design/tokens.css';
import './design/controls.css';
import './shell/shell.css';
import { undoByKey } from './edit/shortcut.js';
import { openFindByKey } from './find/shortcut.js';
import { followAddress } from './links/history.js';
import { keepOffline } from './offline/offline.js';
import { acceptFiles } from './opening/drop.js';
import { openAddress } from './opening/open.js';
import { rehearse } from './opening/rehearse.js';
import { App } from './shell/app.js';
import { keepFocus } from './shell/keep-focus.js';
import { acceptLogs } from './watch/accept-logs.js';

render(<App />, document.getElementById('studio') as HTMLElement);
acceptFiles(window);
acceptLogs();
followAddress();
openFindByKey(window);
undoByKey(window);
keepFocus();
performance.mark('interactive');

const address = new URLSearchParams(location.search).get('url');
if (address) void openAddress(address);
else addEventListener('load', rehearse);
addEventListener('load', () => void keepOffline());
