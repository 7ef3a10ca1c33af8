const asked = new URLSearchParams(location.search);

globalThis.outcome = (async () => {
  await navigator.serviceWorker.register(asked.get('worker'), { type: asked.get('type') });
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage(asked.get('model'), [port2]);
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
})();
