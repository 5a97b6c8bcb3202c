const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand between tags and inside quoted attributes. Control characters would be invisible: shown as ·. */
export function escapeHtml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  return text.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '·').replace(/[&<>"']/g, (c) => ENTITIES[c]);
}
