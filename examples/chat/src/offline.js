/** Registers the service worker, and offers to install the page if the browser supports it. */
export function showOfflineState(button) {
  navigator.serviceWorker?.register('./service-worker.js');
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    button.hidden = false;
    button.onclick = () => event.prompt();
  });
  addEventListener('appinstalled', () => {
    button.hidden = true;
  });
}
