import { byId } from './dom.js';

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Registers the service worker. Shows whether the page works offline, and a button to install it. */
export function showOfflineState(): void {
  const network = byId('network', HTMLElement);
  let isKept = false;
  const show = () => {
    const standing = matchMedia('(display-mode: standalone)').matches ? 'Installed. ' : '';
    const state = navigator.onLine ? (isKept ? 'Works offline.' : '') : 'You are offline.';
    network.textContent = standing + state;
  };
  addEventListener('online', show);
  addEventListener('offline', show);
  show();
  offerInstallation();
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker?.register('./service-worker.js');
  navigator.serviceWorker?.ready.then(() => {
    isKept = true;
    show();
  });
}

function offerInstallation(): void {
  const button = byId('install', HTMLButtonElement);
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    button.hidden = false;
    button.onclick = () => (event as InstallPrompt).prompt();
  });
  addEventListener('appinstalled', () => {
    button.hidden = true;
  });
}
