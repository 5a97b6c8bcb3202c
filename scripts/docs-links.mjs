// Follows the links of Markdown files: pages, files of the repository, headings. Nothing is asked of the network.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './run.mjs';

const docs = join(root, 'docs');
const indexes = join(root, 'packages/pliant/src');
/** Written by `npm run reproduce`; links to them may come first. */
const MAY_BE_MISSING = /^docs\/(reproduce\.md|results\/)/;

/** All pages of the site, and what else is read as text; paths below the root. */
export function listPages() {
  const inDocs = readdirSync(docs, { recursive: true })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md') && !/node_modules|^docs\/(api|\.vitepress)\//.test(name));
  return inDocs.sort();
}

export function listOtherTexts() {
  const examples = existsSync(join(root, 'examples'))
    ? readdirSync(join(root, 'examples'), { recursive: true })
    : [];
  return [
    'README.md',
    'CONTRIBUTING.md',
    'packages/cli/README.md',
    ...examples
      .filter((name) => /^[^_]*\.md$/.test(name) && !name.includes('node_modules'))
      .map((name) => `examples/${name}`),
  ].filter((name) => existsSync(join(root, name)));
}

/** Messages about links that lead nowhere, and how many were followed. */
export function checkLinks(files) {
  const problems = [];
  const headings = new Map(); // per file
  let count = 0;
  for (const file of files) {
    for (const { href, line } of findLinks(file)) {
      count++;
      const problem = followLink(file, href, headings);
      if (problem) problems.push(`${file}:${line}: ${problem}`);
    }
  }
  return { count, problems };
}

function findLinks(file) {
  const links = [];
  let fence = '';
  const isConfig = file.endsWith('.ts');
  for (const [k, text] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    const mark = /^\s*(```+)/.exec(text)?.[1];
    if (mark && (fence === '' || mark.length >= fence.length)) fence = fence === '' ? mark : '';
    if (mark || fence !== '') continue;
    const plain = text.replaceAll(/`[^`]*`/g, (code) => '`'.repeat(code.length));
    const patterns = [
      /\]\(\s*<?([^)>\s]+)>?(?:\s+"[^"]*")?\s*\)/g,
      /^\s*\[[^\]]+\]:\s+(\S+)/g,
      /\b(?:href|src)="([^"]+)"/g,
      /^\s*(?:- )?link: (\/\S*|https?:\S+)$/g, // front matter of the first page
    ];
    if (isConfig) patterns.splice(0, 4, /\blink: '([^']+)'/g);
    for (const pattern of patterns) {
      for (const [, href] of plain.matchAll(pattern)) links.push({ href, line: k + 1 });
    }
  }
  return links;
}

/** What is wrong with it, or undefined. */
function followLink(file, href, headings) {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return checkExternal(href);
  const [path, anchor] = decodeURI(href).split('#');
  const isPage = file.startsWith('docs/');
  if (isPage && path.startsWith('/api/')) return checkApi(path);
  let target = path === '' ? file : locate(isPage, file, path);
  if (MAY_BE_MISSING.test(target) && !existsSync(join(root, target))) return undefined;
  if (!existsSync(join(root, target))) return `${href} leads to ${target}, which does not exist`;
  if (anchor === undefined || anchor === '') return undefined;
  if (statSync(join(root, target)).isDirectory()) target = `${target}/index.md`;
  if (!target.endsWith('.md')) return undefined;
  return headingsOf(target, headings).has(anchor) ? undefined : `${target} has no heading #${anchor}`;
}

function locate(isPage, file, path) {
  const from = isPage && path.startsWith('/') ? docs : join(root, dirname(file));
  let target = relative(root, join(from, path)).replaceAll('\\', '/');
  if (!isPage) return target;
  if (path.endsWith('/')) target = `${target}/index.md`;
  if (target === 'docs' || target === '') return 'docs/index.md';
  if (existsSync(join(root, `${target}.md`)) || /^docs\/[^.]*$/.test(target)) {
    return existsSync(join(root, target)) ? target : `${target}.md`;
  }
  return target.replace(/\.html$/, '.md');
}

function checkExternal(href) {
  if (/^mailto:[^@\s]+@[^@\s]+$/.test(href)) return undefined;
  if (!URL.canParse(href)) return `${href} is no address`;
  const { protocol, hostname } = new URL(href);
  if (protocol !== 'https:' && protocol !== 'http:') return `${href}: only http and https are linked`;
  return /^[\w-]+(\.[\w-]+)+$/.test(hostname) || hostname === 'localhost'
    ? undefined
    : `${href} names no host`;
}

/** `/api/`, `/api/pliant/cull/`, or a name of one: `/api/pliant/functions/findNearest`. */
function checkApi(path) {
  const [, , library, ...rest] = path.replace(/(\.md|\.html|\/)$/, '').split('/');
  if (library === undefined) return undefined;
  const kinds = ['functions', 'classes', 'interfaces', 'type-aliases', 'variables'];
  const subpath = rest.length > 0 && !kinds.includes(rest[0]) ? rest.shift() : '';
  const index = join(indexes, subpath, 'index.ts');
  if (library !== 'pliant' || !existsSync(index)) return `${path}: there is no such subpath`;
  if (rest.length === 0) return undefined;
  const isThere = new RegExp(`\\b${rest[1]}\\b`).test(readFileSync(index, 'utf8'));
  return isThere ? undefined : `${path}: ${relative(root, index)} has no ${rest[1]}`;
}

function headingsOf(file, headings) {
  if (headings.has(file)) return headings.get(file);
  const found = new Set();
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```.*?^```/gms, '');
  for (const [, heading, own] of text.matchAll(/^#{1,6} (.*?)(?: \{#([\w-]+)\})?$/gm)) {
    let slug = own ?? slugOf(heading);
    for (let k = 1; found.has(slug); k++) slug = `${own ?? slugOf(heading)}-${k}`;
    found.add(slug);
  }
  headings.set(file, found);
  return found;
}

/** As VitePress does. */
function slugOf(heading) {
  return heading
    .replaceAll(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase();
}
