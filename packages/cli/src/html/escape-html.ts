const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const INVISIBLE = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g; // control characters, changes of direction

/** Text as it may stand between tags and inside quoted attributes. What would be invisible becomes a dot. */
export function escapeHtml(text: string): string {
  return text.replace(INVISIBLE, '·').replace(/[&<>"']/g, (c) => ENTITIES[c]);
}
