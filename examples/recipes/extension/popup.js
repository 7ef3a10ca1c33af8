const file = /** @type {HTMLInputElement} */ (document.getElementById('file'));
const answer = /** @type {HTMLOutputElement} */ (document.getElementById('answer'));

file.addEventListener('change', () => {
  const reader = new FileReader(); // Messages are JSON, so the image is sent as a data: URL.
  reader.onload = async () => {
    answer.value = 'Classifying…';
    const { classes, error } = await chrome.runtime.sendMessage({ image: reader.result });
    answer.value = error ?? `class ${classes[0].index}, ${(100 * classes[0].value).toFixed(1)} %`;
  };
  if (file.files?.[0]) reader.readAsDataURL(file.files[0]);
});
