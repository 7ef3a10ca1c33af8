const file = /** @type {HTMLInputElement} */ (document.getElementById('file'));
const answer = /** @type {HTMLOutputElement} */ (document.getElementById('answer'));

file.addEventListener('change', () => {
  const reader = new FileReader(); // Messages are JSON: a picture goes as a data: URL.
  reader.onload = async () => {
    answer.value = '…';
    const { classes, error } = await chrome.runtime.sendMessage({ picture: reader.result });
    answer.value = error ?? `class ${classes[0].index}, ${(100 * classes[0].value).toFixed(1)} %`;
  };
  if (file.files?.[0]) reader.readAsDataURL(file.files[0]);
});
