import { create } from '../ui/dom.ts';

/** Hands the user a file. */
export function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  create('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadText(text: string, name: string): void {
  const type = name.endsWith('.html') ? 'text/html' : 'application/json';
  download(new Blob([text], { type }), name);
}

/** True when it worked; some browsers want a secure page for it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
