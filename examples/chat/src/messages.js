const NAMES = { user: 'You', assistant: 'Model' };

/** Shows the whole conversation and scrolls to its end. */
export function showMessages(place, messages) {
  place.replaceChildren(...messages.map(shown));
  place.scrollTop = place.scrollHeight;
}

/** Appends to the last message. Scrolls along unless the reader has scrolled up. */
export function showPiece(place, piece) {
  const isAtEnd = place.scrollHeight - place.scrollTop - place.clientHeight < 48;
  place.lastElementChild.lastElementChild.append(piece);
  if (isAtEnd) place.scrollTop = place.scrollHeight;
}

function shown({ role, content }) {
  const [message, name, text] = ['article', 'h2', 'p'].map((tag) => document.createElement(tag));
  message.className = role;
  name.textContent = NAMES[role];
  text.textContent = content;
  message.append(name, text);
  return message;
}
