// The conversation and the settings, restored when the page is opened again.

const KEY = `chat ${new URL('.', location.href).pathname}`;
const SETTINGS = { model: 'king-james', dtype: 'q4', temperature: 0.8, topP: 0.95, tokens: 120 };

export const keptConversation = () => kept().messages ?? [];
export const keptSettings = () => ({ ...SETTINGS, ...kept().settings });
export const keep = (messages, settings) => localStorage.setItem(KEY, JSON.stringify({ messages, settings }));

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}
