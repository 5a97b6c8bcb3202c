import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/**
 * Links to files outside the pages work in the repository as they are. On the site they go to where the repository is
 * published, if that is known; otherwise the path stays as text.
 */
export function linkRepository(md: MarkdownRenderer, folder: string): void {
  const root = resolve(folder, '..');
  const published = addressOfRepository(root);
  md.core.ruler.push('repository-links', (state) => {
    const page = state.env?.relativePath ?? 'index.md';
    for (const block of state.tokens) {
      let isText = false;
      for (const token of block.children ?? []) {
        if (token.type === 'link_close' && isText) {
          token.tag = 'span';
          isText = false;
        }
        if (token.type !== 'link_open') continue;
        const href = token.attrGet('href') ?? '';
        if (/^([a-z]+:|\/|#)/i.test(href)) continue;
        const path = relative(root, join(folder, dirname(page), decodeURI(href.split('#')[0])));
        if (isOnSite(root, path)) continue;
        if (published !== undefined) {
          token.attrSet('href', `${published}/blob/main/${path}`);
        } else {
          token.tag = 'span';
          token.attrs = [
            ['class', 'repository-file'],
            ['title', path],
          ];
          isText = true;
        }
      }
    }
  });
}

/** Pages, with or without their ending, and pictures. */
function isOnSite(root: string, path: string): boolean {
  return path.startsWith('docs/') && (/\.(md|svg|png)$/.test(path) || !existsSync(join(root, path)));
}

function addressOfRepository(root: string): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const address: unknown = process.env.PLIANT_REPOSITORY ?? repository?.url ?? repository;
  if (typeof address !== 'string') return undefined;
  return address.replace(/^git\+/, '').replace(/\.git$/, '');
}
