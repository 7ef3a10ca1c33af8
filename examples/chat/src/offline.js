/** Starts the service worker, and offers to install the page where that is possible. */
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
