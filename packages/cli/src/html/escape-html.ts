import { plainLine } from '../output/plain-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand between tags and inside quoted attributes. What would be invisible becomes a dot. */
export function escapeHtml(text: string): string {
  return plainLine(text).replace(/[&<>"']/g, (c) => ENTITIES[c]);
}
